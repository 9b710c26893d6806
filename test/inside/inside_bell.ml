(* A parked thread looks up now and then: OCaml may have noted a signal just before the system call,
   which it does not end then. *)

open Test_support

let parked bell ~until =
  Bell.prepare bell;
  Bell.park bell ~until

let in_an_hour () = System.now () +. 3600.
let looks_up until () = parked (Bell.create ()) ~until:(until ())

(* Also after a park with a time limit, which sets the system's timer. *)
let looks_up_again () =
  let bell = Bell.create () in
  parked bell ~until:(System.now () +. 0.001);
  parked bell ~until:infinity

let rung_before () =
  let bell = Bell.create () in
  Bell.prepare bell;
  Bell.ring bell;
  let start = System.now () in
  parked bell ~until:(in_an_hour ());
  Alcotest.(check bool) "at once" true (System.now () -. start < Bell.glance)

let () =
  Alcotest.run "inside bell"
    [
      ( "looks up",
        [
          Watchdog.case "for ever" (looks_up (fun () -> infinity));
          Watchdog.case "for an hour" (looks_up in_an_hour);
          Watchdog.case "again" looks_up_again;
        ] );
      ("rung", [ Watchdog.case "before" rung_before ]);
    ]
