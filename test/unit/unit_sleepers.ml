(* The sleepers in one domain. *)

open Test_support

let all = [ 0; 1; 61; 62; 130 ]

let with_all () =
  let s = Sleepers.create 131 in
  List.iter (Sleepers.announce s) all;
  s

let worker = Alcotest.int
let removal = Alcotest.testable (fun _ _ -> ()) ( = )

let first () =
  let s = Sleepers.create 131 in
  Alcotest.(check bool) "empty at first" true (Sleepers.is_empty s);
  Alcotest.check worker "nobody" Sleepers.nobody (Sleepers.first s);
  List.iter (Sleepers.announce s) (List.rev all);
  let remove_first i =
    Alcotest.check worker "in order" i (Sleepers.first s);
    Alcotest.check removal "is there" Sleepers.Removed (Sleepers.try_to_remove s i);
    Alcotest.check removal "is gone" Sleepers.Gone (Sleepers.try_to_remove s i)
  in
  List.iter remove_first all;
  Alcotest.(check bool) "empty at last" true (Sleepers.is_empty s)

let remove () =
  let s = with_all () in
  Alcotest.(check bool) "is there" true (Sleepers.remove s 61);
  Alcotest.(check bool) "not there any more" false (Sleepers.remove s 61);
  Alcotest.check worker "the others stay" 0 (Sleepers.first s);
  Alcotest.(check bool) "the first" true (Sleepers.remove s 0 && Sleepers.remove s 1);
  Alcotest.check worker "in the next word" 62 (Sleepers.first s);
  Sleepers.announce s 61;
  Alcotest.check worker "comes again" 61 (Sleepers.first s)

let length () =
  let s = with_all () in
  Alcotest.(check int) "of all" 5 (Sleepers.length s);
  ignore (Sleepers.remove s 130 : bool);
  Alcotest.(check int) "of the others" 4 (Sleepers.length s);
  Alcotest.(check bool) "not empty" false (Sleepers.is_empty s)

let () =
  let case = Watchdog.case in
  Alcotest.run "unit sleepers"
    [ ("sleepers", [ case "first" first; case "remove" remove; case "length" length ]) ]
