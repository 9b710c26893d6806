(* The sleepers in one domain. *)

open Test_support

(* The worker that is chosen, if any. *)
let rec choose s =
  let i = Sleepers.choose s in
  if i = Sleepers.try_again then choose s else if i = Sleepers.nobody then None else Some i

let worker = Alcotest.(option int)

let chooses () =
  let s = Sleepers.create () in
  Alcotest.(check bool) "empty at first" true (Sleepers.is_empty s);
  Alcotest.check worker "nobody" None (choose s);
  List.iter (Sleepers.announce s) [ 0; 1; 2 ];
  Alcotest.(check bool) "not empty" false (Sleepers.is_empty s);
  let chosen = List.init 4 (fun _ -> choose s) in
  Alcotest.(check (list worker)) "the last to come first" [ Some 2; Some 1; Some 0; None ] chosen

let withdraw () =
  let s = Sleepers.create () in
  List.iter (Sleepers.announce s) [ 0; 1; 2 ];
  Alcotest.(check bool) "not chosen yet" true (Sleepers.withdraw s 1);
  Alcotest.(check bool) "not there any more" false (Sleepers.withdraw s 1);
  Alcotest.check worker "the others stay" (Some 2) (choose s);
  Alcotest.(check bool) "chosen" false (Sleepers.withdraw s 2);
  Sleepers.announce s 1;
  Alcotest.check worker "comes again" (Some 1) (choose s);
  Alcotest.check worker "in order of arrival" (Some 0) (choose s)

let () =
  Alcotest.run "unit sleepers"
    [ ("sleepers", [ Watchdog.case "choose" chooses; Watchdog.case "withdraw" withdraw ]) ]
