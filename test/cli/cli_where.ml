(* drover where: what it says of programs that are at known places, and of those that say nothing. *)

open Command

let where ?during pid = call ?during [ "where"; string_of_int pid ]
let debug = "DROVER_DEBUG=1"
let events = "OCAML_RUNTIME_EVENTS_START=1"

(* Only the program itself, which it is begun by, stays in the folder. *)
let is_alone { Running.folder; _ } =
  let is_socket name = Filename.check_suffix name ".where" in
  Alcotest.(check (list string))
    "leaves nothing" []
    (List.filter is_socket (Array.to_list (Sys.readdir folder)))

let says ~bindings mode parts () =
  Running.program ~bindings mode (fun running ->
      let code, out, err = where running.pid in
      Alcotest.(check (pair int string)) "exit code and errors" (0, "") (code, err);
      List.iter (check_contains out) (Printf.sprintf "process %d: " running.pid :: parts);
      is_alone running)

(* A worker that is off its processor for a second does not say where it is: then once more. *)
let says_in_time ~bindings mode parts () =
  Running.program ~bindings mode (fun { pid; _ } ->
      let rec attempts n =
        let _, out, _ = where pid in
        if not (List.for_all (contains out) parts) then
          if n > 0 then attempts (n - 1) else List.iter (check_contains out) parts
      in
      attempts 20)

let waits = [ "x a task of pool-1 receives from a channel"; "a task of pool-1 sleeps"; "for " ]

(* A loop that does not allocate has no position, but its caller does, or who has started it. *)
let computes =
  [
    "worker 0 runs a task, for at least ";
    "\nworker 0 of pool-1 is ";
    "\nworker 1 of pool-1 is ";
    "at\n    Dune__exe__Ending";
  ]

let crossed =
  [
    ", with the ledger, waits for the journal, which task";
    ", with the journal, waits for the ledger, which task";
    "Ending.crossed.lock (test/cli/ending.ml:";
    "sleeps";
  ]

let holds =
  [
    "waits for the cache, which task 1 holds, at\n";
    ", in task 1, with the cache, is at\n";
    "Ending.holds.refill";
  ]

(* The socket of a command that was killed. *)
let after_another () =
  Running.program ~bindings:[ debug ] "waits" (fun ({ pid; folder } as running) ->
      let socket = Unix.socket PF_UNIX SOCK_STREAM 0 in
      Unix.bind socket (ADDR_UNIX (Filename.concat folder (Printf.sprintf "drover-%d.where" pid)));
      Unix.close socket;
      let _, out, _ = where pid in
      List.iter (check_contains out) waits;
      is_alone running)

let beside_another () =
  Running.program ~bindings:[ debug ] "waits" (fun ({ pid; _ } as running) ->
      let during _ =
        let _, out, _ = where pid in
        List.iter (check_contains out) waits
      in
      let _, out, _ = where ~during pid in
      List.iter (check_contains out) waits;
      is_alone running)

(* What the program would not answer in time, the events tell. *)
let unanswered () =
  Running.program ~bindings:[ debug; events ] "waits" (fun ({ pid; _ } as running) ->
      Unix.kill pid Sys.sigstop;
      let code, out, _ = where pid in
      Alcotest.(check int) "exit code" 0 code;
      List.iter (check_contains out) [ "parked"; "did not answer within" ];
      is_alone running)

(* While it is asked. *)
let ends () =
  Running.program ~bindings:[ debug ] "waits" (fun ({ pid; _ } as running) ->
      Unix.kill pid Sys.sigstop;
      let code, _, err = where pid ~during:(fun _ -> Unix.kill pid Sys.sigkill) in
      Alcotest.(check int) "exit code" 126 code;
      (* Before or after. *)
      if not (contains err "has ended") then check_contains err "there is no such process";
      is_alone running)

let refused ~bindings mode parts () =
  Running.program ~bindings mode (fun { pid; _ } ->
      fails [ "where"; string_of_int pid ] ~code:126 ~saying:parts ())

let no_process () =
  let pid = Unix.create_process "true" [| "true" |] Unix.stdin Unix.stdout Unix.stderr in
  ignore (Unix.waitpid [] pid : int * Unix.process_status);
  fails [ "where"; string_of_int pid ] ~code:126 ~saying:[ "there is no such process" ] ()

let test name f = Alcotest.test_case name `Quick f

let () =
  Alcotest.run "cli where"
    [
      ( "a program that tells where it is",
        [
          test "waits" (says ~bindings:[ debug ] "waits" waits);
          test "is crossed" (says ~bindings:[ debug ] "crossed" crossed);
          test "computes" (says_in_time ~bindings:[ debug ] "computes" computes);
          test "holds a lock" (says_in_time ~bindings:[ debug ] "holds" holds);
          test "is in a system call"
            (says ~bindings:[ debug ] "calls"
               [ "does not say where it is: in a system call"; "started at\n    Dune__exe__Ending" ]);
          test "collects" (says_in_time ~bindings:[ debug ] "collects" [ "Ending.collects" ]);
        ] );
      ( "a program that writes events",
        [
          test "waits"
            (says ~bindings:[ events ] "waits"
               [ "parked: no work"; "No worker has a task"; "With DROVER_DEBUG=1" ]);
          test "computes" (says ~bindings:[ events ] "computes" [ "in a task"; "100.0%" ]);
          test "holds a lock" (says ~bindings:[ events ] "holds" [ "in a task: refill" ]);
        ] );
      ( "it is asked",
        [
          test "after one that was killed" after_another;
          test "beside another" beside_another;
          test "and does not answer" unanswered;
          test "and ends" ends;
        ] );
      ( "there is nothing to see",
        [
          test "no process" no_process;
          test "no variable" (refused ~bindings:[] "waits" [ "Start it with DROVER_DEBUG=1" ]);
          test "no number" (fails [ "where"; "x" ] ~code:124 ~saying:[ "expected an integer" ]);
        ] );
    ]
