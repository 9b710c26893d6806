(* What random commands do not show of the lock-free structures, on one domain: sizes at which the deque
   grows, items that are equal, and what is kept alive. *)

open Test_support

let items = Alcotest.(list int)
let item = Alcotest.(option int)
let deque () = Deque.create ~nil:0

let push_all d lo hi =
  for x = lo to hi do
    Deque.push d x
  done

(* Items are positive, and 0 is [nil]. *)
let found x = if x = 0 then None else Some x
let pop d = found (Deque.pop d)
let steal d = found (Deque.steal d)
let rec take_all take d = match take d with None -> [] | Some x -> x :: take_all take d

(* More than 64: a thief takes 32 of them, unless the owner has left fewer, or others have taken some. *)
let many () =
  let d = deque () in
  push_all d 1 64;
  Alcotest.(check bool) "few" true (Option.is_none (Deque.look_at_many d));
  push_all d 65 65;
  let look = Option.get (Deque.look_at_many d) in
  Alcotest.check items "the oldest" (List.init 32 succ) (Deque.oldest look);
  Alcotest.(check bool) "taken" true (Deque.steal_many d look);
  Alcotest.(check bool) "once" false (Deque.steal_many d look);
  Alcotest.check item "the next" (Some 33) (steal d);
  push_all d 66 98;
  let look = Option.get (Deque.look_at_many d) in
  for x = 98 downto 67 do
    Alcotest.check item "the owner's" (Some x) (pop d)
  done;
  Alcotest.(check bool) "but for one they are left" true (Deque.length d = 33);
  Alcotest.check item "the owner's" (Some 66) (pop d);
  push_all d 66 98;
  Alcotest.(check bool) "others in their place" false (Deque.steal_many d look)

(* Every size around that of the array, wherever the oldest item is in it. *)
let growth () =
  for skipped = 0 to 33 do
    for n = 31 to 66 do
      let d = deque () in
      push_all d 1 skipped;
      Alcotest.(check int) "stolen before" skipped (List.length (take_all steal d));
      push_all d 1 n;
      Alcotest.check item "oldest" (Some 1) (steal d);
      Alcotest.check items "the others" (List.init (n - 1) (fun i -> n - i)) (take_all pop d)
    done
  done

let drop_is_physical () =
  let d = Deque.create ~nil:"" in
  let one = String.make 3 'a' and equal = String.make 3 'a' in
  Deque.push d one;
  Deque.drop d equal;
  Alcotest.(check int) "an equal item is another one" 1 (Deque.length d);
  Deque.drop d one;
  Alcotest.(check int) "the item itself" 0 (Deque.length d)

(* In a function of its own, so that no stack slot of the test refers to the items. *)
let[@inline never] push_fresh reach d n =
  for x = 1 to n do
    Deque.push d (Reach.watch reach (ref x))
  done

let deque_keeps_nothing name leave =
  let released n () =
    let d = Deque.create ~nil:(ref 0) and reach = Reach.create () in
    push_fresh reach d n;
    Alcotest.(check int) "in the deque" n (Reach.alive reach);
    leave d n;
    Alcotest.(check int) "gone" 0 (Reach.alive reach);
    Alcotest.(check bool) "the deque lives" true (Deque.is_empty d)
  in
  List.map
    (fun n -> Watchdog.case (Printf.sprintf "%s, %d items" name n) (released n))
    [ 1; 2; 32; 100 ]

let[@inline never] pops d n =
  for _ = 1 to n do
    ignore (Deque.pop d)
  done

let[@inline never] drops d n =
  for x = n downto 1 do
    let item = Deque.pop d in
    Alcotest.(check int) "the newest" x !item;
    Deque.push d item;
    Deque.drop d item
  done

(* A thief must not write, so the owner's next items replace what was stolen. *)
let[@inline never] steals d n =
  for _ = 1 to n do
    ignore (Deque.steal d)
  done;
  for _ = 1 to 128 do
    Deque.push d (ref 0);
    ignore (Deque.steal d)
  done

(* The others *)

let[@inline never] fill_and_empty reach b =
  for x = 1 to 10 do
    Inbox.add b (Reach.watch reach (ref x))
  done;
  for x = 1 to 10 do
    Alcotest.(check int) "oldest first" x !(Inbox.take b)
  done

let inbox_keeps_nothing () =
  let b = Inbox.create ~nil:(ref 0) and reach = Reach.create () in
  fill_and_empty reach b;
  Alcotest.(check int) "still reachable" 0 (Reach.alive reach);
  Alcotest.(check bool) "the inbox lives" true (Inbox.is_empty b)

(* A waiter may wait again, and may fill again in vain. *)
let waiter_of_waiter () =
  let c = Ivar.create () and calls = ref 0 in
  Ivar.on_fill c (fun () ->
      Alcotest.(check bool) "full already" false (Ivar.fill c 2);
      Ivar.on_fill c (fun () -> incr calls));
  ignore (Ivar.fill c 1 : bool);
  Alcotest.(check int) "called at once" 1 !calls

let[@inline never] wait_and_fill reach c =
  for x = 1 to 10 do
    let kept = Reach.watch reach (ref x) in
    Ivar.on_fill c (fun () -> incr kept)
  done;
  ignore (Ivar.fill c 1 : bool)

let ivar_keeps_no_waiter () =
  let c = Ivar.create () and reach = Reach.create () in
  wait_and_fill reach c;
  Alcotest.(check int) "still reachable" 0 (Reach.alive reach);
  Alcotest.(check bool) "the cell lives" true (Ivar.is_full c)

(* The first stays; of the others nothing is kept but a few seats. *)
let ivar_forgets_who_leaves () =
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
  ignore (Ivar.fill c 7 : bool);
  Alcotest.(check int) "calls" 1 !calls

let () =
  let case = Watchdog.case in
  Alcotest.run "unit lockfree"
    [
      ( "deque",
        [
          case "growth" growth;
          case "many at once" many;
          case "only the item itself is dropped" drop_is_physical;
        ] );
      ("popped slots are cleared", deque_keeps_nothing "popped" pops);
      ("dropped slots are cleared", deque_keeps_nothing "dropped" drops);
      ("stolen slots are overwritten", deque_keeps_nothing "stolen" steals);
      ("inbox", [ case "what was taken is released" inbox_keeps_nothing ]);
      ( "ivar",
        [
          case "a waiter that waits" waiter_of_waiter;
          case "a full cell keeps no waiter" ivar_keeps_no_waiter;
          case "waiters that leave" ivar_forgets_who_leaves;
        ] );
    ]
