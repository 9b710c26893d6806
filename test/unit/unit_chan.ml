(* Channels: what is sent, received and chosen. *)

open Test_support
open Drover
open Stdlib

let kinds =
  [
    ("rendezvous", Chan.rendezvous);
    ("bounded to 1", fun () -> Chan.bounded 1);
    ("bounded to 3", fun () -> Chan.bounded 3);
    ("unbounded", Chan.unbounded);
  ]

let numbers n = List.init n Fun.id
let ints = Alcotest.(list int)

let received c =
  let all = ref [] in
  Chan.iter (fun v -> all := v :: !all) c;
  List.rev !all

let in_order channel domains () =
  run ~domains (fun () ->
      let c = channel () in
      let send () =
        List.iter (Chan.send c) (numbers 1000);
        Chan.close c
      in
      let (), all = both send (fun () -> received c) in
      Alcotest.check ints "in order" (numbers 1000) all)

(* A sender somewhere and a receiver elsewhere. *)
let between (sender : Place.t) (receiver : Place.t) channel () =
  let c = channel () in
  let send () =
    sender.call (fun () ->
        List.iter (Chan.send c) (numbers 300);
        Chan.close c)
  in
  let join = Stranger.thread send in
  let all = receiver.call (fun () -> received c) in
  join ();
  Alcotest.check ints "in order" (numbers 300) all

(* Several of each kind, tasks and threads: each message arrives once. *)
let crowd channel domains () =
  let c = channel () and each = 500 in
  let latch = Latch.create 4 in
  let send k () =
    for i = 0 to each - 1 do
      Chan.send c ((k * each) + i)
    done;
    Latch.count_down latch
  in
  let strangers = [ Stranger.thread (send 0); Stranger.domain (send 1) ] in
  let reader = Stranger.thread (fun () -> received c) in
  let by_tasks =
    run ~domains (fun () ->
        let senders = List.map (fun k -> async (send k)) [ 2; 3 ] in
        let readers = List.init 3 (fun _ -> async (fun () -> received c)) in
        List.iter await senders;
        Latch.wait latch;
        Chan.close c;
        List.concat_map await readers)
  in
  List.iter (fun join -> join ()) strangers;
  let all = List.sort compare (by_tasks @ reader ()) in
  Alcotest.check ints "each once" (numbers (4 * each)) all

(* The message of a sender that has a slot, and has not run since. *)
let without_waiting_for_sender () =
  let c = Chan.bounded 1 in
  let alone send =
    Chan.send c 1;
    let sender = Begun.task send in
    Alcotest.(check bool) "the sender waits" false (Promise.is_settled sender);
    Alcotest.(check (option int)) "the oldest" (Some 1) (Chan.try_recv c);
    Alcotest.(check int) "a slot is its" 1 (Chan.length c);
    Alcotest.(check (option int)) "its message" (Some 2) (Chan.try_recv c);
    Alcotest.(check int) "the slot is free" 0 (Chan.length c);
    Alcotest.(check (option int)) "once" None (Chan.try_recv c);
    await sender;
    Alcotest.(check (option int)) "only once" None (Chan.try_recv c)
  in
  run ~domains:1 (fun () ->
      alone (fun () -> Chan.send c 2);
      alone (fun () -> Chan.select [ Chan.sending c 2 Fun.id ]))

let rendezvous_without_waiting () =
  let c = Chan.rendezvous () in
  Alcotest.(check bool) "nobody receives" false (Chan.try_send c 1);
  Alcotest.(check (option int)) "nobody sends" None (Chan.try_recv c);
  run ~domains:1 (fun () ->
      let sender = Begun.task (fun () -> Chan.send c 1) in
      Alcotest.(check bool) "the sender waits" false (Promise.is_settled sender);
      Alcotest.(check (option int)) "its message" (Some 1) (Chan.try_recv c);
      await sender;
      let receiver = Begun.task (fun () -> Chan.recv c) in
      Alcotest.(check bool) "a receiver waits" true (Chan.try_send c 2);
      Alcotest.(check int) "gets it" 2 (await receiver))

let closed channel () =
  let c = channel () in
  Chan.close c;
  Chan.close c;
  Alcotest.(check bool) "is closed" true (Chan.is_closed c);
  let closed what f = Alcotest.check_raises what Chan.Closed f in
  closed "send" (fun () -> Chan.send c 1);
  closed "try_send" (fun () -> ignore (Chan.try_send c 1 : bool));
  closed "recv" (fun () -> ignore (Chan.recv c : int));
  closed "try_recv" (fun () -> ignore (Chan.try_recv c : int option));
  closed "select" (fun () -> Chan.select [ Chan.receiving c ignore; Chan.receiving c ignore ]);
  closed "select nothing" (fun () -> Chan.select []);
  Chan.iter (fun _ -> Alcotest.fail "there is nothing") c

let closed_for f = match f () with _ -> false | exception Chan.Closed -> true

(* Also those who wait for nothing else, in every place, and those who come later; whoever is cancelled
   waits no more. *)
let waited_for () =
  let c = Chan.bounded 1 in
  Chan.send c 1;
  (match Scope.with_timeout 0.001 (fun () -> Chan.wait_closed c) with
  | () -> Alcotest.fail "it is open"
  | exception Scope.Timeout -> ());
  let wait (place : Place.t) =
    Stranger.thread (fun () -> place.call (fun () -> Chan.wait_closed c))
  in
  let joins = Stdlib.List.map wait Place.all in
  Chan.close c;
  Stdlib.List.iter (fun join -> join ()) joins;
  Chan.wait_closed c;
  Alcotest.(check int) "its message" 1 (Chan.recv c)

(* Closing wakes all who wait, and what they wanted to send is not received. *)
let close_wakes domains () =
  run ~domains (fun () ->
      let wait_then_close c wait =
        let waiting = List.init 10 (fun _ -> Begun.task (fun () -> closed_for wait)) in
        Chan.close c;
        Alcotest.(check bool) "all are told" true (List.for_all await waiting)
      in
      let c = Chan.bounded 2 in
      wait_then_close c (fun () -> Chan.recv c);
      let c = Chan.bounded 2 in
      wait_then_close c (fun () -> Chan.select [ Chan.receiving c Fun.id ]);
      let c = Chan.bounded 2 in
      List.iter (Chan.send c) [ 1; 2 ];
      wait_then_close c (fun () ->
          Chan.send c 3;
          0);
      Alcotest.check ints "only what was sent" [ 1; 2 ] (received c))

let misuse () = Failing.misuse "Drover.Chan.bounded: " (fun () -> Chan.bounded 0)

(* Selecting *)

let ready () =
  let a = Chan.unbounded () and b = Chan.unbounded () in
  Chan.send b 1;
  let name = Chan.select [ Chan.receiving a (fun _ -> "a"); Chan.receiving b (fun _ -> "b") ] in
  Alcotest.(check string) "the one that is ready" "b" name;
  Chan.close a;
  Chan.send b 2;
  let n = Chan.select [ Chan.receiving a Fun.id; Chan.receiving b Fun.id ] in
  Alcotest.(check int) "closed ones are passed over" 2 n;
  Chan.select [ Chan.sending a 3 (fun () -> Alcotest.fail "closed"); Chan.sending b 3 ignore ];
  Alcotest.(check int) "sent" 3 (Chan.recv b);
  let c = Chan.bounded 1 in
  Chan.send c 0;
  Alcotest.(check int)
    "room or message" 0
    (Chan.select [ Chan.sending c 4 (fun () -> -1); Chan.receiving c Fun.id ])

(* A case that is always ready leaves others their turn. *)
let takes_turns () =
  let a = Chan.unbounded () and b = Chan.unbounded () in
  for i = 1 to 100 do
    Chan.send a i;
    Chan.send b i
  done;
  let pick () =
    Chan.select [ Chan.receiving a (fun _ -> true); Chan.receiving b (fun _ -> false) ]
  in
  let from_a = List.length (List.filter Fun.id (List.init 100 (fun _ -> pick ()))) in
  Alcotest.(check bool) "from both" true (from_a > 20 && from_a < 80)

let wakes_for_each kind channel () =
  run ~domains:2 (fun () ->
      let a = channel () and b = channel () in
      let pick () =
        Chan.select [ Chan.receiving a (fun v -> ("a", v)); Chan.receiving b (fun v -> ("b", v)) ]
      in
      List.iter
        (fun (name, c, v) ->
          let picked = async pick in
          Chan.send c v;
          Alcotest.(check (pair string int)) kind (name, v) (await picked))
        [ ("a", a, 1); ("b", b, 2); ("a", a, 3) ];
      Alcotest.(check (option int)) "nothing left" None (Chan.try_recv a))

(* What a select does not choose is left alone, and nothing stays in line. *)
let exactly_one channel () =
  run ~domains:2 (fun () ->
      let a = channel () and b = channel () in
      let n = 1000 in
      let send c () = List.iter (Chan.send c) (numbers n) in
      let senders = [ async (send a); async (send b) ] in
      let pick () = Chan.select [ Chan.receiving a Either.left; Chan.receiving b Either.right ] in
      let all = List.init (2 * n) (fun _ -> pick ()) in
      List.iter await senders;
      let of_a, of_b = List.partition_map Fun.id all in
      Alcotest.check ints "all of a" (numbers n) of_a;
      Alcotest.check ints "all of b" (numbers n) of_b)

(* Selects that meet each other at a rendezvous, in both directions. *)
let select_meets_select domains () =
  run ~domains (fun () ->
      let a = Chan.rendezvous () and b = Chan.rendezvous () in
      let n = 2000 in
      let left () =
        List.init n (fun i ->
            Chan.select [ Chan.sending a i (fun () -> None); Chan.receiving b Option.some ])
      and right () =
        List.init n (fun i ->
            Chan.select [ Chan.sending b i (fun () -> None); Chan.receiving a Option.some ])
      in
      let l, r = both left right in
      let got = List.filter_map Fun.id in
      let expect_sent by others =
        let sent =
          List.filter_map Fun.id (List.mapi (fun i v -> if v = None then Some i else None) by)
        in
        Alcotest.check ints "what one sent the other got" sent (got others)
      in
      expect_sent l r;
      expect_sent r l)

let both_kinds () =
  let a = Chan.rendezvous () in
  Failing.misuse "Drover.Chan.select: " (fun () ->
      Chan.select [ Chan.sending a 1 ignore; Chan.receiving a ignore ])

(* Each of two selects that begin with the same channel, in turns, gets round to all its cases. *)
let select_takes_turns () =
  let many () =
    let c = Chan.unbounded () in
    for _ = 1 to 3000 do
      Chan.send c ()
    done;
    c
  in
  let a = many () and b = many () and c = many () and counts = Array.make 4 0 in
  let count i () = counts.(i) <- counts.(i) + 1 in
  for _ = 1 to 1000 do
    Chan.select [ Chan.receiving a (count 0); Chan.receiving b (count 1) ];
    Chan.select [ Chan.receiving a (count 2); Chan.receiving c (count 3) ]
  done;
  Alcotest.(check bool) "all are served" true (Array.for_all (fun n -> n > 300) counts)

(* However fast it is served, a select leaves nothing in the other lines. *)
let select_leaves_nothing domains () =
  let reach = Reach.create () in
  let data = Chan.rendezvous () and quit = Chan.rendezvous () in
  let ignored i = Reach.watch reach (fun v -> i + v) in
  run ~domains (fun () ->
      let sender =
        async (fun () ->
            for i = 1 to 3000 do
              Chan.send data i
            done)
      in
      for i = 1 to 3000 do
        ignore (Chan.select [ Chan.receiving data Fun.id; Chan.receiving quit (ignored i) ] : int)
      done;
      await sender;
      Alcotest.(check bool) "few are kept" true (Reach.remain ~most:50 reach <= 50));
  Chan.close quit

(* A select in every place, woken from every other. *)
let select_from (place : Place.t) () =
  let a = Chan.rendezvous () and b = Chan.bounded 1 in
  Chan.send b 0;
  let join =
    Stranger.thread (fun () ->
        place.call (fun () ->
            Chan.select [ Chan.receiving a Fun.id; Chan.sending b 1 (fun () -> 1) ]))
  in
  Thread.delay 0.01;
  Chan.send a 2;
  Alcotest.(check int) "the message" 2 (join ());
  Alcotest.(check int) "the other is not sent" 0 (Chan.recv b);
  Alcotest.(check (option int)) "nor later" None (Chan.try_recv b)

(* What was received is not kept. *)
let forgets channel () =
  let reach = Reach.create () in
  let c = channel () in
  run ~domains:1 (fun () ->
      let send () =
        for i = 1 to 100 do
          Chan.send c (Reach.watch reach (ref i))
        done
      and receive () =
        for _ = 1 to 100 do
          ignore (Chan.recv c : int ref)
        done
      in
      ignore (both send receive : unit * unit));
  Alcotest.(check int) "messages that are reachable" 0 (Reach.alive reach);
  Alcotest.(check bool) "the channel is" false (Chan.is_closed c)

let for_kinds test = List.map (fun (name, channel) -> Watchdog.case name (test channel)) kinds

let pairs channel =
  List.concat_map
    (fun (a : Place.t) ->
      List.map
        (fun (b : Place.t) -> Watchdog.case (a.name ^ " to " ^ b.name) (between a b channel))
        Place.few)
    Place.few

let () =
  Alcotest.run "unit chan"
    [
      ("in order, 1 domain", for_kinds (fun channel -> in_order channel 1));
      ("in order, 2 domains", for_kinds (fun channel -> in_order channel 2));
      ("rendezvous between", pairs Chan.rendezvous);
      ("bounded between", pairs (fun () -> Chan.bounded 2));
      ("crowd, 1 domain", for_kinds (fun channel -> crowd channel 1));
      ("crowd, 2 domains", for_kinds (fun channel -> crowd channel 2));
      ("closed", for_kinds closed);
      ("forgets", for_kinds forgets);
      ( "closing",
        [
          Watchdog.case "waited for" waited_for;
          Watchdog.case "wakes, 1 domain" (close_wakes 1);
          Watchdog.case "wakes, 2 domains" (close_wakes 2);
        ] );
      ( "trying",
        [
          Watchdog.case "a sender that has a slot" without_waiting_for_sender;
          Watchdog.case "rendezvous" rendezvous_without_waiting;
          Watchdog.case "misuse" misuse;
        ] );
      ( "select",
        [
          Watchdog.case "what is ready" ready;
          Watchdog.case "takes turns" takes_turns;
          Watchdog.case "both kinds" both_kinds;
          Watchdog.case "meets select, 1 domain" (select_meets_select 1);
          Watchdog.case "meets select, 2 domains" (select_meets_select 2);
        ] );
      ( "select leaves",
        [
          Watchdog.case "turns to all" select_takes_turns;
          Watchdog.case "nothing, 1 domain" (select_leaves_nothing 1);
          Watchdog.case "nothing, 2 domains" (select_leaves_nothing 2);
        ] );
      ("select wakes", List.map (fun (n, c) -> Watchdog.case n (wakes_for_each n c)) kinds);
      ("select exactly one", for_kinds exactly_one);
      ("select from", List.map (fun (p : Place.t) -> Watchdog.case p.name (select_from p)) Place.all);
    ]
