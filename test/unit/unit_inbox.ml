(* The inbox in one domain. *)

open Test_support

let items = Alcotest.(list int)

let order () =
  let b = Inbox.create () in
  Alcotest.(check bool) "empty at first" true (Inbox.is_empty b);
  Alcotest.check items "nothing" [] (Inbox.take_all b);
  List.iter (Inbox.add b) [ 1; 2; 3 ];
  Alcotest.(check bool) "not empty" false (Inbox.is_empty b);
  Alcotest.check items "newest first" [ 3; 2; 1 ] (Inbox.take_all b);
  Alcotest.check items "taken" [] (Inbox.take_all b);
  Inbox.add b 4;
  Alcotest.check items "works on" [ 4 ] (Inbox.take_all b)

let[@inline never] fill_and_empty reach b =
  for x = 1 to 10 do
    Inbox.add b (Reach.watch reach (ref x))
  done;
  List.length (Inbox.take_all b)

let keeps_nothing () =
  let b = Inbox.create () and reach = Reach.create () in
  Alcotest.(check int) "taken" 10 (fill_and_empty reach b);
  Alcotest.(check int) "still reachable" 0 (Reach.alive reach);
  Alcotest.(check bool) "the inbox lives" true (Inbox.is_empty b)

let () =
  Alcotest.run "unit inbox"
    [
      ( "inbox",
        [ Watchdog.case "order" order; Watchdog.case "what was taken is released" keeps_nothing ] );
    ]
