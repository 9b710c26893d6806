(* Each call that may wait, fork or loop is a point, also where it has nothing to wait for: a task that is
   cancelled raises there, and one that goes on and on gives way to what is ready. *)

open Test_support
open Drover
module Hash_table = Drover_batched.Hash_table
module Ordered_map = Drover_batched.Ordered_map
module Priority_queue = Drover_batched.Priority_queue

let closed () =
  let c : int Chan.t = Chan.unbounded () in
  Chan.close c;
  c

(* [make ()] is a call that never has to wait, however often it is called. *)
let waits =
  [
    ( "Chan.send, recv",
      fun () ->
        let c = Chan.bounded 4 in
        fun () ->
          Chan.send c 1;
          ignore (Chan.recv c : int) );
    ( "Chan.select",
      fun () ->
        let c = Chan.unbounded () in
        fun () -> Chan.select [ Chan.sending c 1 ignore ] );
    ( "Chan.iter",
      fun () ->
        fun () ->
         let c = Chan.unbounded () in
         Chan.send c 1;
         Chan.close c;
         Chan.iter ignore c );
    ( "Chan.wait_closed",
      fun () ->
        let c = closed () in
        fun () -> Chan.wait_closed c );
    ( "Mutex.protect",
      fun () ->
        let m = Mutex.create () in
        fun () -> Mutex.protect m ignore );
    ( "Mutex.lock, unlock",
      fun () ->
        let m = Mutex.create () in
        fun () ->
          Mutex.lock m;
          Mutex.unlock m );
    ( "Semaphore.protect",
      fun () ->
        let s = Semaphore.create 2 in
        fun () -> Semaphore.protect s ignore );
    ( "await",
      fun () ->
        let p = Promise.of_value () in
        fun () -> await p );
    ( "Memo.get",
      fun () ->
        let m = Memo.create (fun _ k -> k) in
        fun () -> ignore (Memo.get m 1 : int) );
    ( "Lazy.force",
      fun () ->
        let l = Lazy.from_val () in
        fun () -> Lazy.force l );
    ( "Latch.wait",
      fun () ->
        let l = Latch.create 0 in
        fun () -> Latch.wait l );
    ( "Barrier.wait",
      fun () ->
        let b = Barrier.create 1 in
        fun () -> Barrier.wait b );
    ( "Batch.submit",
      fun () ->
        let b = Batch.create ignore in
        fun () -> Batch.submit b 1 );
    ( "Hash_table",
      fun () ->
        let t = Hash_table.create ~hash:Fun.id ~equal:Int.equal () in
        fun () -> Hash_table.insert t 1 () );
    ( "Ordered_map",
      fun () ->
        let m = Ordered_map.create Int.compare in
        fun () -> Ordered_map.insert m 1 () );
    ( "Priority_queue",
      fun () ->
        let q = Priority_queue.create Int.compare in
        fun () ->
          Priority_queue.push q 1;
          ignore (Priority_queue.pop_min q : int option) );
    ( "Local.with_value",
      fun () ->
        let k = Local.create 0 in
        fun () -> Local.with_value k 1 ignore );
    ("Pool.run", fun () -> fun () -> Option.iter (fun p -> Pool.run p ignore) (Pool.current ()));
    ("Scope.run", fun () -> fun () -> Scope.run ignore);
    ("Scope.check", fun () -> Scope.check);
    ("with_timeout", fun () -> fun () -> Scope.with_timeout 100. ignore);
    ("sleep", fun () -> fun () -> sleep 0.);
  ]

let nothing _ = ()

let regions n =
  let a = Stdlib.Array.make n 1 in
  let name what = Printf.sprintf "%s of %d" what n in
  [
    (name "parallel_for", fun () -> fun () -> parallel_for ~start:1 ~finish:n nothing);
    ( name "parallel_reduce",
      fun () ->
        fun () -> ignore (parallel_reduce ~start:1 ~finish:n ~init:0 ~combine:( + ) Fun.id : int) );
    (name "parallel_range", fun () -> fun () -> parallel_range ~start:1 ~finish:n (fun _ _ -> ()));
    ( name "parallel_find_first",
      fun () ->
        fun () -> ignore (parallel_find_first ~start:1 ~finish:n (fun _ -> None) : unit option) );
    (name "Array.iter", fun () -> fun () -> Array.iter nothing a);
    (name "Array.map", fun () -> fun () -> ignore (Array.map Fun.id a : int array));
    (name "Array.sort", fun () -> fun () -> Array.sort compare (Stdlib.Array.make (n + 1) 0));
    (name "List.iter", fun () -> fun () -> List.iter nothing (Stdlib.Array.to_list a));
    (name "all", fun () -> fun () -> ignore (all (Stdlib.List.init n (fun _ () -> ())) : unit list));
  ]

let calls = waits @ regions 1 @ regions 3
let on_each f = Stdlib.List.iter (fun domains -> run ~domains f) [ 1; 2; 4 ]

let cancelled make () =
  on_each (fun () ->
      let call = make () in
      let has_raised = ref false in
      (try
         Scope.run (fun s ->
             Scope.cancel s Exit;
             try call ()
             with Cancelled Exit as exn ->
               has_raised := true;
               raise exn)
       with Exit -> ());
      Alcotest.(check bool) "raised" true !has_raised)

(* It ends when a job from outside has had its turn, which nobody else can give it. *)
let gives_way make () =
  Pool.with_pool ~domains:1 (fun pool ->
      let is_served = Atomic.make false and has_begun = Atomic.make false in
      let other () =
        Spin.until (fun () -> Atomic.get has_begun);
        Pool.run pool (fun () -> Atomic.set is_served true)
      in
      let other = Domain.spawn other in
      Pool.run pool (fun () ->
          let call = make () in
          Atomic.set has_begun true;
          while not (Atomic.get is_served) do
            call ()
          done);
      Domain.join other)

let () =
  let each law = Stdlib.List.map (fun (name, make) -> Watchdog.case name (law make)) calls in
  Alcotest.run "unit points" [ ("cancelled", each cancelled); ("gives way", each gives_way) ]
