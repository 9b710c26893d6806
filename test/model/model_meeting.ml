(* Latches, barriers and lazy values, with the code that waits at them: all come through. *)

open Waiter

let came_through n f () =
  let through = ref 0 in
  let one i =
    process (fun () ->
        f i;
        incr through)
  in
  (List.init n one, fun () -> Alcotest.(check int) "came through" n !through)

(* The first [n] count down, and one waits. *)
let latch n () =
  let l = Meetings.Latch.create n in
  came_through (n + 1)
    (fun i -> if i < n then Meetings.Latch.count_down l else Meetings.Latch.wait l)
    ()

let latch_two_wait () =
  let l = Meetings.Latch.create 1 in
  came_through 3 (fun i -> if i = 0 then Meetings.Latch.count_down l else Meetings.Latch.wait l) ()

let barrier parties rounds () =
  let b = Meetings.Barrier.create parties in
  let wait _ =
    for _ = 1 to rounds do
      Meetings.Barrier.wait b
    done
  in
  came_through parties wait ()

let lazily () =
  let calls = ref 0 in
  let l = Lazy_value.from_fun (fun () -> incr calls) in
  let processes, all_through = came_through 2 (fun _ -> Lazy_value.force l) () in
  ( processes,
    fun () ->
      all_through ();
      Alcotest.(check int) "calls" 1 !calls )

(* A signal that comes after the unlock is not missed: whoever waits holds the lock until then. *)
let condition ~waiters ~broadcast () =
  let m = Locks.Mutex.create () and c = Conditions.create () and is_true = ref false in
  let waits () =
    Locks.Mutex.lock m;
    while not !is_true do
      Conditions.wait c m
    done;
    Locks.Mutex.unlock m
  and changes () =
    Locks.Mutex.lock m;
    is_true := true;
    if broadcast then Conditions.broadcast c else Conditions.signal c;
    Locks.Mutex.unlock m
  in
  came_through (waiters + 1) (fun i -> if i = 0 then changes () else waits ()) ()

let () =
  Alcotest.run "model meeting"
    [
      ( "latch",
        [
          Explore.case "count 1" (latch 1);
          Explore.case "count 2" (latch 2);
          Explore.case "two wait" latch_two_wait;
        ] );
      ( "barrier",
        [
          Explore.case "two parties" (barrier 2 1);
          Explore.case "two rounds" (barrier 2 2);
          Explore.case "three parties" (barrier 3 1);
        ] );
      ("lazy", [ Explore.case "two" lazily ]);
      ( "condition",
        [
          Explore.case "signal" (condition ~waiters:1 ~broadcast:false);
          Explore.case "broadcast" (condition ~waiters:1 ~broadcast:true);
        ] );
    ]
