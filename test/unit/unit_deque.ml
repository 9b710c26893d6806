(* The deque in one domain: order, growth, and what its slots keep alive. *)

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

let empty () =
  let d = deque () in
  Alcotest.check item "pop" None (pop d);
  Alcotest.check item "steal" None (steal d);
  Deque.drop d 1;
  Alcotest.(check int) "length" 0 (Deque.length d);
  Alcotest.(check bool) "is_empty" true (Deque.is_empty d)

let orders () =
  let d = deque () in
  push_all d 1 100;
  Alcotest.(check int) "length" 100 (Deque.length d);
  Alcotest.check items "popped" (List.init 100 (fun i -> 100 - i)) (take_all pop d);
  push_all d 1 100;
  Alcotest.check items "stolen" (List.init 100 succ) (take_all steal d)

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

let drop () =
  let d = deque () in
  push_all d 1 3;
  Deque.drop d 2;
  Alcotest.(check int) "not the newest: stays" 3 (Deque.length d);
  Deque.drop d 3;
  Alcotest.check item "the newest: gone" (Some 2) (pop d);
  Deque.drop d 1;
  Alcotest.(check bool) "the last: gone" true (Deque.is_empty d);
  Deque.drop d 1;
  push_all d 4 4;
  Alcotest.check item "works on" (Some 4) (pop d)

let newest () =
  let d = Deque.create ~nil:0 in
  Alcotest.(check int) "none" 0 (Deque.newest d);
  push_all d 1 3;
  Alcotest.(check int) "the last that was pushed" 3 (Deque.newest d);
  Alcotest.(check int) "which stays" 3 (Deque.length d);
  ignore (pop d);
  Alcotest.(check int) "then the one before" 2 (Deque.newest d);
  ignore (steal d);
  ignore (steal d);
  Alcotest.(check int) "none is left" 0 (Deque.newest d)

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

let keeps_nothing name leave =
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

let () =
  Alcotest.run "unit deque"
    [
      ( "order",
        [
          Watchdog.case "empty" empty;
          Watchdog.case "newest popped, oldest stolen" orders;
          Watchdog.case "growth" growth;
          Watchdog.case "many at once" many;
        ] );
      ( "drop",
        [
          Watchdog.case "only the newest" drop;
          Watchdog.case "only itself" drop_is_physical;
          Watchdog.case "newest" newest;
        ] );
      ("popped slots are cleared", keeps_nothing "popped" pops);
      ("dropped slots are cleared", keeps_nothing "dropped" drops);
      ("stolen slots are overwritten", keeps_nothing "stolen" steals);
    ]
