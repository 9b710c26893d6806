(* Scenes that several ranks play. A test program starts itself for a scene, whose name an environment
   variable has; the ranks are copies of that. *)

type scene = { name : string; play : unit -> unit }
type way = Processes | Mpi

let variable = "DROVER_TEST_SCENE"

let main scenes tests =
  match Sys.getenv_opt variable with
  | None ->
      Launcher.say ();
      tests ()
  | Some name -> (List.find (fun scene -> scene.name = name) scenes).play ()

(* What plays a scene with that many ranks. *)
let command way n =
  let program = Sys.executable_name in
  match way with Processes -> [ program ] | Mpi -> Launcher.command n @ [ program ]

type running = { pid : int; out : string; err : string }
type ending = { status : Unix.process_status; output : string; errors : string }

let start ?(bindings = []) ?words way ~ranks scene =
  let out = Filename.temp_file "ranks" ".out" and err = Filename.temp_file "ranks" ".err" in
  let to_file path = Unix.openfile path [ Unix.O_WRONLY; Unix.O_TRUNC; Unix.O_CLOEXEC ] 0o600 in
  let stdout = to_file out and stderr = to_file err in
  let input = Unix.openfile "/dev/null" [ Unix.O_RDONLY; Unix.O_CLOEXEC ] 0 in
  let bindings =
    [ variable ^ "=" ^ scene.name; Printf.sprintf "DROVER_RANKS=%d" ranks ]
    @ bindings @ Launcher.bindings
  in
  let environment = Array.append (Array.of_list bindings) (Unix.environment ()) in
  let words = Array.of_list (Option.value words ~default:(command way ranks)) in
  let pid = Unix.create_process_env words.(0) words environment input stdout stderr in
  List.iter Unix.close [ stdout; stderr; input ];
  { pid; out; err }

let contents path = In_channel.with_open_bin path In_channel.input_all

let ending { pid; out; err } =
  let _, status = Unix.waitpid [] pid in
  let ending = { status; output = contents out; errors = contents err } in
  Sys.remove out;
  Sys.remove err;
  ending

let play ?bindings ?words way ~ranks scene = ending (start ?bindings ?words way ~ranks scene)

(* A scene that says whether all is as it should be. *)
let fine = "fine\n"

let check_fine ?bindings ?words way ~ranks scene =
  let { status; output; errors } = play ?bindings ?words way ~ranks scene in
  Alcotest.(check string) "stderr" "" errors;
  Alcotest.(check string) "stdout" fine output;
  Alcotest.(check bool) "exit code 0" true (status = Unix.WEXITED 0)

let cases scenes way ~ranks =
  List.map
    (fun scene -> Test_support.Watchdog.case scene.name (fun () -> check_fine way ~ranks scene))
    scenes
