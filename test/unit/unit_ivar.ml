(* The ivar in one domain. *)

open Test_support

let value = Alcotest.(option int)

let fill_once () =
  let c = Ivar.create () in
  Alcotest.check value "empty" None (Ivar.peek c);
  Alcotest.(check bool) "the first fill wins" true (Ivar.fill c 1);
  Alcotest.(check bool) "the second does not" false (Ivar.fill c 2);
  Alcotest.check value "the first value stays" (Some 1) (Ivar.peek c)

let full () =
  let c = Ivar.full 1 in
  Alcotest.check value "full" (Some 1) (Ivar.peek c);
  Alcotest.(check bool) "no fill wins" false (Ivar.fill c 2)

let waiters () =
  let c = Ivar.create () and calls = ref [] in
  let wait i = Ivar.on_fill c (fun () -> calls := (i, Ivar.peek c) :: !calls) in
  List.iter wait [ 1; 2; 3 ];
  Alcotest.(check int) "not called before" 0 (List.length !calls);
  ignore (Ivar.fill c 7);
  wait 4;
  ignore (Ivar.fill c 8);
  Alcotest.(check (list (pair int value)))
    "once, in order, with the value there"
    [ (1, Some 7); (2, Some 7); (3, Some 7); (4, Some 7) ]
    (List.rev !calls)

(* A waiter may wait again, and may fill again in vain. *)
let waiter_of_waiter () =
  let c = Ivar.create () and calls = ref 0 in
  Ivar.on_fill c (fun () ->
      Alcotest.(check bool) "full already" false (Ivar.fill c 2);
      Ivar.on_fill c (fun () -> incr calls));
  ignore (Ivar.fill c 1);
  Alcotest.(check int) "called at once" 1 !calls

let[@inline never] wait_and_fill reach c =
  for x = 1 to 10 do
    let kept = Reach.watch reach (ref x) in
    Ivar.on_fill c (fun () -> incr kept)
  done;
  ignore (Ivar.fill c 1)

let keeps_no_waiter () =
  let c = Ivar.create () and reach = Reach.create () in
  wait_and_fill reach c;
  Alcotest.(check int) "still reachable" 0 (Reach.alive reach);
  Alcotest.check value "the cell lives" (Some 1) (Ivar.peek c)

(* Whoever has left is not called. The first stays; of the others nothing is kept but a few seats. *)
let leaves () =
  let c = Ivar.create () and reach = Reach.create () and calls = ref 0 in
  let enter () =
    let kept = Reach.watch reach (ref 0) in
    let seat = Ivar.seat () in
    Ivar.sit c seat (fun () ->
        incr kept;
        incr calls);
    fun () -> Ivar.stand_up seat
  in
  ignore (enter () : unit -> unit);
  let words = Obj.reachable_words (Obj.repr c) in
  for _ = 1 to 1000 do
    let leave = enter () in
    let leave' = enter () in
    leave ();
    leave' ()
  done;
  Alcotest.(check int) "still reachable" 1 (Reach.alive reach);
  Alcotest.(check bool) "size" true (Obj.reachable_words (Obj.repr c) < words + 50);
  ignore (Ivar.fill c 7);
  Alcotest.(check int) "calls" 1 !calls

let () =
  Alcotest.run "unit ivar"
    [
      ( "ivar",
        [
          Watchdog.case "filled once" fill_once;
          Watchdog.case "full from the start" full;
          Watchdog.case "waiters" waiters;
          Watchdog.case "a waiter that waits" waiter_of_waiter;
          Watchdog.case "a full cell keeps no waiter" keeps_no_waiter;
          Watchdog.case "waiters that leave" leaves;
        ] );
    ]
