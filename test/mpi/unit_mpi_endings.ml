(* How a job ends whose ranks do not do what they should: within seconds, with a word on stderr, a code
   other than 0, and nobody left behind. And how one goes on that was killed. *)

open Test_support

let scene name play = { Ranks.name; play }
let ranks = 3
let numbers n = Array.init n Fun.id
let run f () = Drover_mpi.run ~domains:1 f

(* Each rank notes that it is there. *)
let notes = "DROVER_TEST_NOTES"

let note text =
  let file = Sys.getenv notes in
  let flags = [ Open_append; Open_creat; Open_wronly ] in
  Out_channel.with_open_gen flags 0o600 file (fun oc -> output_string oc (text ^ "\n"))

let note_process () = note (string_of_int (Unix.getpid ()))

let play name f =
  scene name (fun () ->
      note_process ();
      run f ())

let long_wait () = Drover.sleep 100.
let at_rank_1 f () = if Drover_mpi.rank () = 1 then f () else long_wait ()
let everywhere f () = ignore (Drover_mpi.everywhere f : unit array)

(* Rank 0 gets the first items, so it is another rank's. *)
let with_item f () =
  let compute i =
    Unix.sleepf 0.001;
    if Drover_mpi.rank () > 0 then f () else i
  in
  ignore (Drover_mpi.map compute (numbers 1000) : int array)

let raises = play "a rank that raises" (everywhere (at_rank_1 (fun () -> failwith "oops")))
let exits = play "a rank that exits" (everywhere (at_rank_1 (fun () -> exit 0)))

let leader_raises =
  play "rank 0 that raises"
    (everywhere (fun () -> if Drover_mpi.rank () = 0 then failwith "oops" else long_wait ()))

let item_raises = play "an item that raises" (with_item (fun () -> failwith "oops"))
let item_exits = play "an item that exits" (with_item (fun () -> exit 0))

let unsendable =
  play "an item that cannot be sent" (fun () ->
      let mutexes = Array.init 100 (fun _ -> Mutex.create ()) in
      Drover_mpi.iter ignore mutexes)

let other_program =
  scene "a rank that does not come to run" (fun () ->
      note_process ();
      if Array.length Sys.argv > 0 && Sys.getenv_opt "DROVER_TEST_LEADER" = None then begin
        Unix.putenv "DROVER_TEST_LEADER" "started";
        run ignore ()
      end)

let killed =
  scene "a rank that is killed" (fun () ->
      let f i =
        if i = 700 && Drover_mpi.rank () > 0 then Unix.kill (Unix.getpid ()) Sys.sigkill;
        i
      in
      run
        (fun () ->
          assert (Drover_mpi.map ~retries:2 f (numbers 1000) = numbers 1000);
          let failed = ref 0 in
          let on_error (f : Drover_mpi.failure) =
            assert (f.rank > 0);
            incr failed;
            Option.get f.item
          in
          assert (Drover_mpi.map ~on_error f (numbers 1000) = numbers 1000);
          print_string Ranks.fine)
        ())

let leader_killed =
  play "rank 0 that is killed" (fun () ->
      note "ready";
      everywhere long_wait ())

(* No thread of OCaml's has a turn in this. *)
let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

let leader_killed_at_work =
  play "rank 0 that is killed while others compute without a safepoint" (fun () ->
      let compute _ =
        note "ready";
        ignore (Sys.opaque_identity (fib 60) : int)
      in
      Drover_mpi.iter compute (numbers 12))

(* Items of a millisecond, each of which is noted when it is computed. *)
let journal_items = 400

let with_journal =
  scene "a job with a journal" (fun () ->
      let journal = Sys.getenv notes ^ ".journal" in
      let f i =
        Unix.sleepf 0.001;
        note (string_of_int i);
        i * i
      in
      run
        (fun () ->
          let found = Drover_mpi.map ~journal f (numbers journal_items) in
          assert (found = Array.init journal_items (fun i -> i * i));
          print_string Ranks.fine)
        ())

let lines file = String.split_on_char '\n' (String.trim (Ranks.contents file))

(* It closes a descriptor of the file meanwhile, at which a process loses its locks there. *)
let reads_journal =
  scene "a job that reads its journal" (fun () ->
      let notes = Sys.getenv notes in
      let journal = notes ^ ".journal" in
      let each _ () =
        ignore (Ranks.contents journal : string);
        note "read";
        while not (List.mem "go on" (lines notes)) do
          Drover.sleep 0.01
        done
      in
      run
        (fun () ->
          Drover_mpi.stream ~journal ignore (numbers 3) each;
          print_string Ranks.fine)
        ())

(* [Unix.select] cannot wait for those that come after them. *)
(* How often the threads of this process went to sleep. *)
let sleeps () =
  let of_thread id =
    match lines (Printf.sprintf "/proc/self/task/%s/status" id) with
    | lines ->
        let count line = Scanf.sscanf_opt line "voluntary_ctxt_switches: %d" Fun.id in
        Option.value (List.find_map count lines) ~default:0
    | exception Sys_error _ -> 0
  in
  Array.fold_left (fun sum id -> sum + of_thread id) 0 (Sys.readdir "/proc/self/task")

let many_files =
  scene "more than 1,024 open files" (fun () ->
      let files = Dynarray.create () in
      (try
         for _ = 1 to 1100 do
           Dynarray.add_last files (Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0)
         done
       with Unix.Unix_error (EMFILE, _, _) -> Dynarray.iter Unix.close files);
      run
        (fun () ->
          let large = Drover_mpi.map (fun n -> Bytes.make n 'x') [| 1_000_000; 2_000_000 |] in
          assert (Array.map Bytes.length large = [| 1_000_000; 2_000_000 |]);
          assert (Drover_mpi.map Fun.id (numbers 1000) = numbers 1000);
          (* A rank that waits does not look again and again. *)
          let before = sleeps () in
          Drover.sleep 0.5;
          assert (sleeps () - before < 250);
          print_string Ranks.fine)
        ())

let scenes =
  [
    raises; exits; leader_raises; item_raises; item_exits; unsendable; other_program; killed;
    leader_killed; leader_killed_at_work; with_journal; reads_journal; many_files;
  ]
[@@ocamlformat "disable"]

let with_notes f =
  let file = Filename.temp_file "drover" ".notes" in
  let remove f = if Sys.file_exists f then Sys.remove f in
  Fun.protect
    ~finally:(fun () ->
      remove file;
      remove (file ^ ".journal"))
    (fun () -> f file)

let start way file scene = Ranks.start ~bindings:[ notes ^ "=" ^ file ] way ~ranks scene

let rec until f =
  if not (f ()) then begin
    Unix.sleepf 0.01;
    until f
  end

(* A zombie whose parent has ended is somebody else's business. *)
let is_gone pid =
  match Ranks.contents (Printf.sprintf "/proc/%s/stat" pid) with
  | stat -> stat.[String.rindex stat ')' + 2] = 'Z'
  | exception Sys_error _ -> true

let nobody_left file =
  let processes = List.filter (fun l -> int_of_string_opt l <> None) (lines file) in
  let end_ pid = if not (is_gone pid) then Unix.kill (int_of_string pid) Sys.sigkill in
  Fun.protect ~finally:(fun () -> List.iter end_ processes) @@ fun () ->
  until (fun () -> List.for_all is_gone processes)

let contains text part =
  let n = String.length part in
  let rec at i = i + n <= String.length text && (String.sub text i n = part || at (i + 1)) in
  at 0

let ends_badly way scene parts () =
  with_notes @@ fun file ->
  let { Ranks.status; output; errors } = Ranks.ending (start way file scene) in
  Alcotest.(check string) "stdout" "" output;
  Alcotest.(check bool) "exit code" true (match status with WEXITED 0 -> false | _ -> true);
  List.iter
    (fun part -> if not (contains errors part) then Alcotest.failf "%s: not in: %s" part errors)
    parts;
  nobody_left file

(* It is killed when so many have said that they are ready. *)
let leaves_nobody way scene ready () =
  with_notes @@ fun file ->
  let running = start way file scene in
  until (fun () -> List.length (List.filter (( = ) "ready") (lines file)) = ready);
  Unix.kill running.pid Sys.sigkill;
  ignore (Ranks.ending running : Ranks.ending);
  nobody_left file

(* Killed again and again, until it comes to its end: no item is computed again whose result was on
   disk when the job was killed. *)
let goes_on way () =
  with_notes @@ fun file ->
  Random.init 7;
  let computed = Hashtbl.create 100 in
  let count () =
    List.iter
      (fun line ->
        let n = Option.value (Hashtbl.find_opt computed line) ~default:0 in
        Hashtbl.replace computed line (n + 1))
      (List.filter (( <> ) "") (lines file));
    Out_channel.with_open_bin file ignore
  in
  for _ = 1 to 8 do
    let running = start way file with_journal in
    Unix.sleepf (Random.float 0.15);
    Unix.kill running.pid Sys.sigkill;
    ignore (Ranks.ending running : Ranks.ending);
    count ()
  done;
  let { Ranks.status; output; errors } = Ranks.ending (start way file with_journal) in
  Alcotest.(check string) "stderr" "" errors;
  Alcotest.(check string) "stdout" Ranks.fine output;
  Alcotest.(check bool) "exit code" true (status = WEXITED 0);
  count ();
  Alcotest.(check int) "all were computed" journal_items (Hashtbl.length computed);
  let { Ranks.output; _ } = Ranks.ending (start way file with_journal) in
  Alcotest.(check string) "again" Ranks.fine output;
  Alcotest.(check (list string)) "nothing to do" [ "" ] (lines file)

let refused way () =
  with_notes @@ fun file ->
  Out_channel.with_open_bin (file ^ ".journal") (fun oc -> output_string oc "my notes");
  let { Ranks.status; errors; _ } = Ranks.ending (start way file with_journal) in
  Alcotest.(check bool) "exit code" true (status = WEXITED 2);
  Alcotest.(check bool) "why" true (contains errors "is no journal of this program and input")

let has_one_job way () =
  with_notes @@ fun file ->
  let first = start way file reads_journal in
  until (fun () -> List.mem "read" (lines file));
  let second = Ranks.ending (start way file reads_journal) in
  Out_channel.with_open_gen [ Open_append ] 0 file (fun oc -> output_string oc "go on\n");
  let first = Ranks.ending first in
  Alcotest.(check string) "stdout" Ranks.fine first.output;
  Alcotest.(check string) "stderr" "" first.errors;
  Alcotest.(check bool) "exit code" true (second.status = WEXITED 2);
  Alcotest.(check bool) second.errors true (contains second.errors "is in use by another job")

let cases way =
  let ends_badly (scene : Ranks.scene) parts =
    Watchdog.case scene.name (ends_badly way scene parts)
  in
  [
    ends_badly raises [ "rank 1: Failure(\"oops\")" ];
    ends_badly exits [ "rank 1" ];
    ends_badly leader_raises [ "rank 0: Failure(\"oops\")" ];
    ends_badly item_raises [ "Drover_mpi.Failed: item "; "Failure(\"oops\")" ];
    ends_badly item_exits [ "rank " ];
    ends_badly unsendable [ "cannot be sent to another rank: output_value: abstract value" ];
    Watchdog.case "a journal goes on" (goes_on way);
    Watchdog.case "no journal is overwritten" (refused way);
    Watchdog.case "a journal has one job" (has_one_job way);
  ]

let of_processes =
  [
    Watchdog.case "a rank that does not come to run"
      (ends_badly Processes other_program
         [ "before it came to Drover_mpi.run, it ended with exit code 0" ]);
    Watchdog.case "a rank that is killed" (fun () -> Ranks.check_fine Processes ~ranks killed);
    Watchdog.case leader_killed.name (leaves_nobody Processes leader_killed 1);
    Watchdog.case leader_killed_at_work.name (leaves_nobody Processes leader_killed_at_work ranks);
    Watchdog.case many_files.name (fun () -> Ranks.check_fine Processes ~ranks many_files);
  ]

let () =
  Ranks.main scenes @@ fun () ->
  Alcotest.run "endings"
    (("processes", cases Processes @ of_processes)
    :: (if Lazy.force Launcher.is_there then [ ("MPI", cases Mpi) ] else []))
