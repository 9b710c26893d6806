(* The sleepers in one domain. *)

open Test_support

let worker = Alcotest.(option int)

let choose () =
  let s = Sleepers.create () in
  Alcotest.(check bool) "empty at first" true (Sleepers.is_empty s);
  Alcotest.check worker "nobody" None (Sleepers.choose s);
  List.iter (Sleepers.announce s) [ 0; 1; 2 ];
  Alcotest.(check bool) "not empty" false (Sleepers.is_empty s);
  let chosen = List.init 4 (fun _ -> Sleepers.choose s) in
  Alcotest.(check (list worker)) "the last to come first" [ Some 2; Some 1; Some 0; None ] chosen

let withdraw () =
  let s = Sleepers.create () in
  List.iter (Sleepers.announce s) [ 0; 1; 2 ];
  Alcotest.(check bool) "not chosen yet" true (Sleepers.withdraw s 1);
  Alcotest.(check bool) "not there any more" false (Sleepers.withdraw s 1);
  Alcotest.check worker "the others stay" (Some 2) (Sleepers.choose s);
  Alcotest.(check bool) "chosen" false (Sleepers.withdraw s 2);
  Sleepers.announce s 1;
  Alcotest.check worker "comes again" (Some 1) (Sleepers.choose s);
  Alcotest.check worker "in order of arrival" (Some 0) (Sleepers.choose s)

let () =
  Alcotest.run "unit sleepers"
    [ ("sleepers", [ Watchdog.case "choose" choose; Watchdog.case "withdraw" withdraw ]) ]
