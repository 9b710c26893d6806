(* The operations of the public interface, each with what must hold after a fault in it: that its
   object is usable again. *)

open Drover_batched

(* [partner ready] runs beside [act], is there before it begins, and is cancelled after it. [act]
   fails if it returns without having done what it should. *)
type scene = { partner : ((unit -> unit) -> unit) option; act : unit -> unit; check : unit -> unit }
type t = { name : string; set : unit -> scene }

let demand holds what = if not holds then failwith what
let yield () = Drover.await (Drover.async ignore)
let equal what expected found = demand (expected = found) what
let alone name f = { name; set = (fun () -> { partner = None; act = f; check = ignore }) }

(* [make ()] is an object, and the rest use it. *)
let on name make ?partner act check =
  let set () =
    let x = make () in
    {
      partner = Option.map (fun p -> p x) partner;
      act = (fun () -> act x);
      check = (fun () -> check x);
    }
  in
  { name; set }

(* Objects *)

let mutex_serves m =
  demand (not (Drover.Mutex.is_locked m)) "the mutex is locked";
  Drover.Mutex.protect m (fun () -> demand (not (Drover.Mutex.try_lock m)) "locked twice")

let local = Drover.Local.create 0

(* The task has the mutex from its batch, and ends with it. *)
let lock_and_end m =
  let batch = Drover.Batch.create (fun _ -> Drover.Mutex.lock m) in
  let task () =
    Drover.Local.with_value local 1 (fun () ->
        Fun.protect
          (fun () -> Drover.Batch.submit batch ())
          ~finally:(fun () -> equal "local" 1 (Drover.Local.get local)))
  in
  match Drover.await (Drover.async task) with
  | () -> failwith "nobody missed the mutex"
  | exception Invalid_argument _ -> ()

type _ Effect.t += Pause : unit Effect.t
type generator = Ended | Paused of (unit, generator) Effect.Deep.continuation

(* Its fork fails while the generator is paused, which is not for its consumer. *)
let in_generator () =
  let fail () = failwith "in the fork" in
  let generator () = ignore (Drover.both (fun () -> Effect.perform Pause) fail) in
  match match generator () with () -> Ended | effect Pause, k -> Paused k with
  | Ended -> failwith "not paused"
  | Paused k -> (
      Drover.sleep 1e-6;
      yield ();
      match Effect.Deep.continue k () with
      | exception Failure what -> equal "failure" "in the fork" what
      | Ended | Paused _ -> failwith "the fork has not failed")

let semaphore_serves s =
  equal "permits" 1 (Drover.Semaphore.free s);
  Drover.Semaphore.protect s (fun () -> equal "permits" 0 (Drover.Semaphore.free s));
  equal "permits" 1 (Drover.Semaphore.free s)

let rec drain c = match Drover.Chan.try_recv c with Some _ -> drain c | None -> ()

(* Nobody stands in line, and messages pass. *)
let chan_serves capacity c =
  drain c;
  equal "length" 0 (Drover.Chan.length c);
  for i = 1 to capacity do
    demand (Drover.Chan.try_send c i) "no room"
  done;
  demand (not (Drover.Chan.try_send c 0)) "room that is not there";
  for i = 1 to capacity do
    equal "message" (Some i) (Drover.Chan.try_recv c)
  done;
  let (), n = Drover.both (fun () -> Drover.Chan.send c 7) (fun () -> Drover.Chan.recv c) in
  equal "message" 7 n

type monitor = { mutex : Drover.Mutex.t; condition : Drover.Condition.t; mutable is_on : bool }

let monitor () =
  { mutex = Drover.Mutex.create (); condition = Drover.Condition.create (); is_on = false }

let until_on m =
  Drover.Mutex.protect m.mutex (fun () ->
      while not m.is_on do
        Drover.Condition.wait m.condition m.mutex
      done)

let set_on m =
  Drover.Mutex.protect m.mutex (fun () ->
      m.is_on <- true;
      Drover.Condition.signal m.condition)

let monitor_serves m =
  m.is_on <- false;
  mutex_serves m.mutex;
  ignore (Drover.both (fun () -> until_on m) (fun () -> set_on m) : unit * unit)

let barrier_serves b =
  let wait () = Drover.Barrier.wait b in
  ignore (Drover.both wait wait : unit * unit)

(* Operations that were begun are applied once, or, if they raised, not at all. *)
type box = { mutable begun : int; sum : int ref; batch : int ref Drover.Batch.t }

let box_that pause =
  let sum = ref 0 in
  let apply ops =
    pause ();
    Array.iter
      (fun op ->
        incr sum;
        op := !op + 1)
      ops
  in
  { begun = 0; sum; batch = Drover.Batch.create ~applied:(fun op -> !op > 0) apply }

let box () = box_that ignore

(* What comes meanwhile waits. *)
let slow_box () = box_that (fun () -> Drover.sleep 0.)

let submit b =
  b.begun <- b.begun + 1;
  let op = ref 0 in
  Drover.Batch.submit b.batch op;
  equal "applied" 1 !op

let box_serves b =
  submit b;
  demand (!(b.sum) >= 1 && !(b.sum) <= b.begun) "operations applied"

let holding protect x ready =
  protect x (fun () ->
      ready ();
      yield ();
      yield ())

let meeting =
  let mutex () = Drover.Mutex.create () in
  let semaphore () = Drover.Semaphore.create 1 in
  let m_protect m = Drover.Mutex.protect m and s_protect s = Drover.Semaphore.protect s in
  let rendezvous () = Drover.Chan.rendezvous () and bounded () = Drover.Chan.bounded 2 in
  let send c ready =
    ready ();
    Drover.Chan.send c 1
  in
  let recv c ready =
    ready ();
    ignore (Drover.Chan.recv c : int)
  in
  let full () =
    let c = bounded () in
    Drover.Chan.send c 1;
    Drover.Chan.send c 2;
    c
  in
  [
    on "Mutex.protect" mutex (fun m -> Drover.Mutex.protect m ignore) mutex_serves;
    on "Mutex.protect, locked" mutex ~partner:(holding m_protect)
      (fun m -> Drover.Mutex.protect m ignore) mutex_serves;
    on "Mutex.protect, in line" mutex ~partner:(holding m_protect)
      (fun m -> let f () = Drover.Mutex.protect m yield in
        ignore (Drover.all [ f; f; f ] : unit list)) mutex_serves;
    on "Mutex.lock in a batch" mutex lock_and_end mutex_serves;
    on "Semaphore.protect" semaphore (fun s -> Drover.Semaphore.protect s ignore) semaphore_serves;
    on "Semaphore.protect, taken" semaphore ~partner:(holding s_protect)
      (fun s -> Drover.Semaphore.protect s ignore) semaphore_serves;
    on "Chan.send, rendezvous" rendezvous ~partner:recv
      (fun c -> Drover.Chan.send c 1) (chan_serves 0);
    on "Chan.recv, rendezvous" rendezvous ~partner:send
      (fun c -> equal "message" 1 (Drover.Chan.recv c)) (chan_serves 0);
    on "Chan.send, full" full
      ~partner:(fun c ready -> ready (); yield (); recv c ignore)
      (fun c -> Drover.Chan.send c 3) (chan_serves 2);
    on "Chan.recv, empty" bounded
      ~partner:(fun c ready -> ready (); yield (); send c ignore)
      (fun c -> equal "message" 1 (Drover.Chan.recv c)) (chan_serves 2);
    on "Chan.recv, of one that has a slot" full ~partner:send
      (fun c -> List.iter (fun v -> equal "message" v (Drover.Chan.recv c)) [ 1; 2; 1 ])
      (chan_serves 2);
    on "Chan.select, receiving" (fun () -> (rendezvous (), bounded ()))
      ~partner:(fun (c, _) ready -> ready (); yield (); send c ignore)
      (fun (c, d) -> Drover.Chan.(select [ receiving d ignore; receiving c ignore ]))
      (fun (c, d) -> chan_serves 0 c; chan_serves 2 d);
    on "Chan.select, sending" (fun () -> (rendezvous (), full ()))
      ~partner:(fun (c, _) ready -> ready (); yield (); recv c ignore)
      (fun (c, d) -> Drover.Chan.(select [ sending d 5 ignore; sending c 1 ignore ]))
      (fun (c, d) -> chan_serves 0 c; chan_serves 2 d);
    on "Condition.wait" monitor
      ~partner:(fun m ready -> ready (); yield (); set_on m)
      until_on monitor_serves;
    on "Condition.signal" monitor ~partner:(fun m ready -> ready (); until_on m)
      (fun m -> yield (); set_on m) monitor_serves;
    on "Latch" (fun () -> Drover.Latch.create 1)
      ~partner:(fun l ready -> ready (); yield (); Drover.Latch.count_down l)
      Drover.Latch.wait
      (fun l -> if Drover.Latch.left l > 0 then Drover.Latch.count_down l; Drover.Latch.wait l);
    on "Barrier.wait" (fun () -> Drover.Barrier.create 2)
      ~partner:(fun b ready -> ready (); Drover.Barrier.wait b)
      Drover.Barrier.wait barrier_serves;
    on "Barrier.wait, first" (fun () -> Drover.Barrier.create 2)
      ~partner:(fun b ready -> ready (); yield (); Drover.Barrier.wait b)
      Drover.Barrier.wait barrier_serves;
    on "Once.run" Drover.Once.create
      ~partner:(fun o ready -> ready (); Drover.Once.run o yield)
      (fun o -> Drover.Once.run o yield; demand (Drover.Once.is_done o) "not done")
      (fun o -> Drover.Once.run o ignore);
    on "Lazy.force" (fun () -> Drover.Lazy.from_fun (fun () -> yield (); 1))
      ~partner:(fun l ready -> ready (); ignore (Drover.Lazy.force l : int))
      (fun l -> equal "value" 1 (Drover.Lazy.force l))
      (fun l -> try equal "value" 1 (Drover.Lazy.force l) with Failure _ as e -> raise e | _ -> ());
    on "Batch.submit" box submit box_serves;
    on "Batch.submit, beside others" box
      (fun b -> Drover.parallel_for ~start:1 ~finish:5 (fun _ -> submit b; yield ()))
      box_serves;
    on "Batch.submit, ahead" slow_box ~partner:(fun b ready -> ready (); submit b)
      (fun b -> Drover.parallel_for ~start:1 ~finish:5 (fun i -> submit b; if i = 3 then Drover.sleep 0.))
      box_serves;
  ] [@ocamlformat "disable"]

(* Tasks *)

let promise_settles () =
  let p, r = Drover.Promise.create () in
  Drover.Scope.run (fun s ->
      let waiting = Drover.Scope.async s (fun () -> Drover.await p) in
      yield ();
      Drover.Promise.fulfil r 1;
      equal "value" 1 (Drover.await waiting))

let thousand = Array.init 1000 (fun i -> i * 7919 mod 1000)

let in_scope () =
  let ran = ref 0 in
  Drover.Scope.run (fun s ->
      Drover.Scope.spawn s (fun () -> incr ran);
      Drover.Scope.daemon s (fun () -> Drover.await (fst (Drover.Promise.create ())));
      Drover.await
        (Drover.Scope.async s (fun () ->
             yield ();
             incr ran)));
  equal "tasks" 2 !ran

let timeout () =
  match Drover.Scope.with_timeout 1e-6 (fun () -> Drover.sleep 100.) with
  | () -> failwith "no timeout"
  | exception Drover.Scope.Timeout -> ()

(* What is acquired is released. *)
type resource = { mutable acquired : int; mutable released : int }

let resource () = { acquired = 0; released = 0 }

let bracket r =
  let acquire () = r.acquired <- r.acquired + 1 and release () = r.released <- r.released + 1 in
  Drover.Scope.bracket ~acquire ~release yield

let is_released r = equal "released" r.acquired r.released
let until_signal () = World.until_signal yield
let is_handled () = demand (World.has_handler ()) "the signal has another handler, or none"

(* Pools have the workers that they should have, and another measurement may begin. *)
let measure () =
  let fork () = ignore (Drover.both yield yield : unit * unit) in
  ignore (Drover.Scalability.measure fork : unit * Drover.Scalability.t)

let is_over () =
  let pool = Drover.Pool.create ~domains:2 () in
  equal "workers" 2 (Drover.Pool.size pool);
  Drover.Pool.close pool;
  measure ()

let memo () = Drover.Memo.create (fun _ n -> yield (); 2 * n) [@ocamlformat "disable"]
let twice m = equal "value" 6 (Drover.Memo.get m 3)
let names = Atomic.make 0

(* Made and closed outside of faults, so that no descriptor is left. *)
let pipe () = Unix.pipe ~cloexec:true ()

let is_readable (input, output) =
  let write () = equal "written" 1 (Unix.write_substring output "x" 0 1) in
  ignore (Drover.both (fun () -> Drover.wait_readable input) write : unit * unit)

let close (input, output) =
  Unix.close input;
  Unix.close output

let tasks =
  let sum f = equal "sum" 4950 (f ()) in
  let open Drover in
  [
    alone "both" (fun () -> equal "values" ((), 2) (both yield (fun () -> yield (); 2)));
    alone "all" (fun () -> equal "values" [ 1; 2; 3 ] (all [ (fun () -> 1); (fun () -> yield (); 2); (fun () -> 3) ]));
    alone "async" (fun () -> equal "value" 3 (await (async (fun () -> yield (); 3))));
    alone "async, of what is suspended" (fun () -> equal "value" 3 (await (async (fun () -> sleep 0.; 3))));
    alone "Promise.fulfil" promise_settles;
    alone "parallel_for" (fun () -> parallel_for ~start:1 ~finish:10 (fun i -> if i = 5 then yield ()));
    alone "parallel_reduce" (fun () ->
      sum (fun () -> parallel_reduce ~start:0 ~finish:99 ~init:0 ~combine:( + ) (fun i -> if i = 50 then yield (); i)));
    alone "parallel_find" (fun () ->
      equal "found" (Some 7) (parallel_find ~start:0 ~finish:9 (fun i -> if i = 7 then Some i else None)));
    alone "both, in a generator" in_generator;
    alone "Scope.run" in_scope;
    alone "Scope.first" (fun () -> equal "first" 1 (Scope.first [ (fun () -> yield (); 1); (fun () -> sleep 100.; 2) ]));
    alone "Scope.with_timeout" (fun () -> Scope.with_timeout 100. yield);
    alone "Scope.with_timeout, over" timeout;
    alone "Scope.protect" (fun () -> Scope.protect yield);
    alone "Local.with_value" (fun () ->
      Local.with_value local 1 (fun () -> yield (); equal "local" 1 (Local.get local)));
    on "Scope.bracket" resource bracket is_released;
    on "Scope.run_until_signal" World.handle_signal until_signal is_handled;
    alone "Scope.limited" (fun () -> Scope.limited ~timeout:100. yield);
    alone "Scope.interruptible" (fun () -> Scope.interruptible yield);
    on "Scalability.measure" ignore measure is_over;
    on "Memo.get" memo ~partner:(fun m ready -> ready (); twice m) twice
      (fun m -> try twice m with Failure _ as e -> raise e | _ -> ());
    alone "named" (fun () -> named (string_of_int (Atomic.fetch_and_add names 1 mod 100)) yield);
    on "wait_readable" pipe is_readable close;
    alone "sleep" (fun () -> sleep 1e-6);
    alone "blocking" (fun () -> equal "value" 1 (blocking (fun () -> 1)));
    alone "run" (fun () -> equal "value" 1 (Drover.run ~domains:1 (fun () -> yield (); 1)));
    alone "Pool" (fun () ->
      let p = Pool.create ~domains:1 () in
      Fun.protect ~finally:(fun () -> Pool.close p) (fun () ->
        equal "value" 1 (Pool.run p (fun () -> yield (); 1))));
    alone "Array.map" (fun () -> ignore (Array.map succ thousand : int array));
    alone "Array.scan" (fun () -> ignore (Array.scan ( + ) 0 thousand : int array));
    alone "Array.filter" (fun () -> ignore (Array.filter (fun n -> n > 3) thousand : int array));
    alone "Seq.map" (fun () ->
      equal "sum" 10 (Stdlib.Seq.fold_left ( + ) 0 (Seq.map ~ahead:2 (fun n -> yield (); n) (Stdlib.Seq.take 5 (Stdlib.Seq.ints 0)))));
    alone "Delayed.reduce" (fun () ->
      sum (fun () -> Delayed.(reduce ( + ) 0 (filter (fun n -> n < 100) (of_array thousand)))));
  ] [@ocamlformat "disable"]

(* Structures: what is there is what was put there, and one more is too. *)

let seven = Array.init 7 (fun i -> (i, i))

let structures =
  [
    on "Counter" (fun () -> Counter.create 0)
      (fun c -> ignore (Counter.add c 1 : int); ignore (Counter.add_all c [| 1; 1 |] : int array))
      (fun c ->
        let n = Counter.get c in
        demand (n >= 0 && n <= 3) "count";
        equal "before" n (Counter.add c 1));
    on "Ordered_map" (fun () -> Ordered_map.create Int.compare)
      (fun m -> Ordered_map.insert_all m seven; Ordered_map.insert m 9 9; equal "found" (Some 3) (Ordered_map.find m 3))
      (fun m ->
        Ordered_map.insert m 8 8;
        Ordered_map.validate m;
        equal "found" (Some 8) (Ordered_map.find m 8);
        demand (Ordered_map.length m <= 9) "length");
    on "Skip_list" (fun () -> Skip_list.create Int.compare)
      (fun m -> Skip_list.insert_all m seven; Skip_list.insert m 9 9)
      (fun m ->
        Skip_list.insert m 8 8;
        Skip_list.validate m;
        equal "found" (Some 8) (Skip_list.find m 8);
        demand (Skip_list.length m <= 9) "length");
    on "Hash_table" (fun () -> Hash_table.create ~hash:Fun.id ~equal:Int.equal ())
      (fun t -> Hash_table.insert_all t seven; Hash_table.insert t 9 9; equal "found" (Some 3) (Hash_table.find t 3))
      (fun t ->
        Hash_table.insert t 8 8;
        Hash_table.validate t;
        equal "found" (Some 8) (Hash_table.find t 8);
        demand (Hash_table.length t <= 9) "length");
  ] [@ocamlformat "disable"]

let all = meeting @ tasks @ structures
