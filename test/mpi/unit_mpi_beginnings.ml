(* How the ranks begin that are copies of the program: as it began itself, whatever has become of its
   directory and of its file meanwhile. *)

open Test_support

let scene name play = { Ranks.name; play }
let ranks = 3

(* The program is [program] there, and begins in [start]. *)
let variable = "DROVER_TEST_HOME"
let in_home name = Filename.concat (Sys.getenv variable) name

(* Several ranks do so. *)
let remove remove name = try remove (in_home name) with Sys_error _ -> ()

(* The arguments and the directory that a rank has seen before it came to [run]. Each has its own. *)
let seen = ref ([||], "")
let look () = seen := (Array.copy Sys.argv, Sys.getcwd ())

let run () =
  Drover_mpi.run ~domains:1 (fun () ->
      let all = Drover_mpi.everywhere (fun () -> !seen) in
      assert (Array.length all = ranks);
      Array.iter (fun beginning -> assert (beginning = all.(0))) all;
      assert (Drover_mpi.map succ (Array.init 100 Fun.id) = Array.init 100 succ);
      print_string Ranks.fine)

let elsewhere =
  scene "it has gone to another directory" (fun () ->
      look ();
      Sys.chdir "/";
      run ())

let directory_removed =
  scene "its directory is removed" (fun () ->
      remove Sys.rmdir "start";
      run ())

let directory_left =
  scene "it has gone to another directory, and its own is removed" (fun () ->
      Sys.chdir "/";
      remove Sys.rmdir "start";
      run ())

let file_removed =
  scene "its file is removed" (fun () ->
      look ();
      remove Sys.remove "program";
      run ())

let file_replaced =
  scene "its file is replaced by another program" (fun () ->
      look ();
      let another = in_home (string_of_int (Unix.getpid ())) in
      Out_channel.with_open_gen [ Open_wronly; Open_creat ] 0o755 another (fun oc ->
          output_string oc "#!/bin/sh\necho another program\n");
      Sys.rename another (in_home "program");
      run ())

let copy from into =
  let text = In_channel.with_open_bin from In_channel.input_all in
  Out_channel.with_open_gen [ Open_binary; Open_wronly; Open_creat ] 0o755 into (fun oc ->
      output_string oc text)

let begins_well scene () =
  Folder.temporary @@ fun home ->
  Sys.mkdir (Filename.concat home "start") 0o755;
  copy Sys.executable_name (Filename.concat home "program");
  let words = [ "sh"; "-c"; "cd \"$1/start\" && exec ../program word"; "sh"; home ] in
  Ranks.check_fine ~bindings:[ variable ^ "=" ^ home ] ~words Processes ~ranks scene

let of_directory = [ elsewhere; directory_removed; directory_left ]

(* The system has to know what it runs. *)
let of_file = if Sys.file_exists "/proc/self/exe" then [ file_removed; file_replaced ] else []

let () =
  let scenes = of_directory @ of_file in
  Ranks.main scenes @@ fun () ->
  let case (scene : Ranks.scene) = Watchdog.case scene.name (begins_well scene) in
  Alcotest.run "beginnings" [ ("processes", List.map case scenes) ]
