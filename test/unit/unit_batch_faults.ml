(* Batches while callbacks raise, or submit themselves, between any two steps of the batches' own
   code: a Memprof callback runs at the n-th allocation there, for each n. *)

open Test_support
open Drover
open Stdlib

exception Break

let within = [ "Drover_engine__Batch"; "Drover_engine__Ahead"; "Drover_lockfree__Young" ]

(* [play start] ends as it does while [callback ()] comes at that allocation in batches, from then on
   that [start] is called. *)
let at moment callback play =
  let since = ref false in
  Interrupted.at ~within ~since moment callback (fun () -> play (fun () -> since := true))

(* An object that counts how often each operation is applied. *)
let counting ?max ?policy run =
  let applied = Array.init 100 (fun _ -> Atomic.make 0) in
  let count i = Atomic.incr applied.(i) in
  let batch =
    Batch.create ?max ?policy (fun ops ->
        run ops;
        Array.iter count ops)
  in
  (batch, fun i -> Atomic.get applied.(i))

let submit batch i = match Batch.submit batch i with () -> true | exception Break -> false

(* Operations that were submitted, and which returned. *)
let check moment (applied : int -> int) outcomes =
  List.iteri
    (fun i returned ->
      let times = applied i in
      if times > 1 || (returned && times = 0) then
        Alcotest.failf "at allocation %d: operation %d %s, applied %d times"
          (Interrupted.number moment) i
          (if returned then "returned" else "raised")
          times)
    outcomes

(* [scene start] submits 0 .. k - 1 to an object, and says which returned. *)
let for_each_allocation scene =
  let law moment =
    let batch, applied, play = scene () in
    let callback () = raise Break in
    (* Where it raises between two tasks, that is out of [run]. *)
    check moment applied
      (match at moment callback play with outcomes -> outcomes | exception Break -> []);
    Batch.submit batch 98;
    run ~domains:1 (fun () -> Batch.submit batch 99);
    Alcotest.(check (list int)) "serves" [ 1; 1 ] [ applied 98; applied 99 ]
  in
  Alcotest.(check bool) "it was tried" true (Interrupted.at_each law > 0)

let alone () =
  let batch, applied = counting ignore in
  ( batch,
    applied,
    fun start ->
      start ();
      [ submit batch 0 ] )

(* One domain: 1 .. k are queued while the batch of 0 waits, in a known order. *)
let queued ?max ?policy k () =
  let gate = ref ignore in
  let batch, applied = counting ?max ?policy (fun ops -> if ops.(0) = 0 then !gate ()) in
  let play start =
    run ~domains:1 (fun () ->
        let opened, opener = Promise.create () in
        (gate := fun () -> await opened);
        let last =
          async (fun () ->
              start ();
              Promise.fulfil opener ())
        in
        let later = List.rev (List.init k (fun i -> async (fun () -> submit batch (k - i)))) in
        let first = async (fun () -> submit batch 0) in
        await opened;
        await last;
        List.map await (first :: later))
  in
  (batch, applied, play)

(* Two are put off when the next comes, who takes them along. *)
let taken_along () =
  let gate = ref ignore in
  let batch, applied = counting ~policy:When_idle (fun ops -> if ops.(0) = 0 then !gate ()) in
  let play start =
    run ~domains:1 (fun () ->
        let opened, opener = Promise.create () in
        (gate := fun () -> await opened);
        let last = async (fun () -> Promise.fulfil opener ()) in
        let two = List.init 2 (fun i -> async (fun () -> submit batch (i + 1))) in
        let first =
          async (fun () ->
              let returned = submit batch 0 in
              start ();
              let others = submit batch 3 in
              (returned, others))
        in
        await opened;
        await last;
        let r0, r3 = await first in
        (r0 :: List.map await two) @ [ r3 ])
  in
  (batch, applied, play)

(* Iterations of a loop that wait on top of each other. *)
let in_loop () =
  let gate = ref ignore in
  let batch, applied = counting ~max:4 (fun ops -> if ops.(0) = 0 then !gate ()) in
  let returned = Array.make 11 false in
  let play start =
    run ~domains:1 (fun () ->
        let opened, opener = Promise.create () in
        (gate := fun () -> await opened);
        let first = Begun.task (fun () -> returned.(0) <- submit batch 0) in
        start ();
        let last = async (fun () -> Promise.fulfil opener ()) in
        let loop =
          async (fun () ->
              try parallel_for ~start:1 ~finish:10 (fun i -> returned.(i) <- submit batch i)
              with Break -> ())
        in
        await opened;
        await last;
        await first;
        await loop);
    Array.to_list returned
  in
  (batch, applied, play)

(* A callback that submits to the object itself: its operation is applied, or it is refused and
   nothing has happened. Nobody waits for himself. *)
let callbacks_submit () =
  let law scene moment =
    let batch, applied, play = scene () in
    let outcome = ref None in
    let callback () =
      outcome :=
        Some (match Batch.submit batch 50 with () -> true | exception Invalid_argument _ -> false)
    in
    let outcomes = at moment callback play in
    Alcotest.(check bool) "all returned" true (List.for_all Fun.id outcomes);
    check moment applied outcomes;
    let check_applied = Alcotest.(check bool) "applied or refused" (applied 50 = 1) in
    Option.iter check_applied !outcome
  in
  let at_each scene = ignore (Interrupted.at_each (law scene) : int) in
  List.iter at_each [ alone; queued ~max:3 7; taken_along; in_loop ]

(* Threads that may go on do so until they wait. *)
let let_run started n =
  while Atomic.get started < n do
    Thread.yield ()
  done;
  for _ = 1 to 50 do
    Thread.yield ()
  done

(* One operation is queued, for a task that has not begun, when another submitter comes to take it
   along; and in the middle of that, four more are queued. *)
let more_come moment =
  let pool = Pool.create ~domains:1 () in
  Pool.staff pool;
  let release = Atomic.make false and is_occupied = Atomic.make false in
  let occupied =
    Pool.async pool (fun () ->
        Atomic.set is_occupied true;
        while not (Atomic.get release) do
          Unix.sleepf 0.001
        done)
  in
  while not (Atomic.get is_occupied) do
    Thread.yield ()
  done;
  let hold = Atomic.make true and largest = ref 0 and running = Atomic.make 0 in
  let batch =
    Batch.create ~pool ~max:2 (fun ops ->
        largest := Int.max !largest (Array.length ops);
        Atomic.incr running;
        while Atomic.get hold do
          Thread.yield ()
        done)
  in
  let started = Atomic.make 0 and more = Atomic.make false in
  let thread ready =
    Stranger.thread (fun () ->
        while not (Atomic.get ready) do
          Thread.yield ()
        done;
        Atomic.incr started;
        Batch.submit batch ())
  in
  let first = thread (Atomic.make true) in
  let_run running 1;
  let second = thread (Atomic.make true) in
  let_run started 2;
  Atomic.set hold false;
  first ();
  let others = List.init 4 (fun _ -> thread more) in
  (* They may be too many to be taken along: then the worker is needed. *)
  let callback () =
    Atomic.set more true;
    let_run started 6;
    Atomic.set release true
  in
  Interrupted.at ~within moment callback (fun () -> Batch.submit batch ());
  Atomic.set more true;
  Atomic.set release true;
  List.iter (fun join -> join ()) (second :: others);
  await occupied;
  Pool.close pool;
  Alcotest.(check bool) "two at most" true (!largest <= 2)

let no_more_than_max () = ignore (Interrupted.at_each more_come : int)

let () =
  let raising name scene = Watchdog.case name (fun () -> for_each_allocation scene) in
  Alcotest.run "batch faults"
    [
      ( "a callback raises",
        [
          raising "an operation alone" alone;
          raising "operations that were queued" (queued 5);
          raising "more than a batch" (queued ~max:3 7);
          raising "put off" (queued ~policy:When_idle 5);
          raising "taken along" taken_along;
          raising "in a loop" in_loop;
        ] );
      ("a callback submits", [ Watchdog.case "it does not wait" callbacks_submit ]);
      ("a callback lets others submit", [ Watchdog.case "a batch has its limit" no_more_than_max ]);
    ]
