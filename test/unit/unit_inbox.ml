(* The inbox in one domain. *)

open Test_support

let items = Alcotest.(list int)

let rec take_all b =
  if Inbox.is_empty b then []
  else
    let x = Inbox.take b in
    x :: take_all b

let order () =
  let b = Inbox.create ~nil:0 in
  Alcotest.(check bool) "empty at first" true (Inbox.is_empty b);
  Alcotest.(check int) "nothing" 0 (Inbox.take b);
  List.iter (Inbox.add b) [ 1; 2; 3 ];
  Alcotest.(check bool) "not empty" false (Inbox.is_empty b);
  let first = Inbox.take b in
  Inbox.add b 4;
  Alcotest.check items "oldest first" [ 1; 2; 3; 4 ] (first :: take_all b);
  Alcotest.(check bool) "taken" true (Inbox.is_empty b);
  Inbox.add b 5;
  Alcotest.check items "works on" [ 5 ] (take_all b)

let[@inline never] fill_and_empty reach b =
  for x = 1 to 10 do
    Inbox.add b (Reach.watch reach (ref x))
  done;
  List.length (take_all b)

let keeps_nothing () =
  let b = Inbox.create ~nil:(ref 0) and reach = Reach.create () in
  Alcotest.(check int) "taken" 10 (fill_and_empty reach b);
  Alcotest.(check int) "still reachable" 0 (Reach.alive reach);
  Alcotest.(check bool) "the inbox lives" true (Inbox.is_empty b)

let () =
  Alcotest.run "unit inbox"
    [
      ( "inbox",
        [ Watchdog.case "order" order; Watchdog.case "what was taken is released" keeps_nothing ] );
    ]
