(* Domainslib's Batcher, on Drover. *)

open Test_support
module Task = Domainslib.Task
module Batcher = Domainslib.Batcher

exception Refused

(* A counter whose batches are checked to come one at a time. *)
module Counter = struct
  type t = { mutable n : int; mutable in_progress : bool }
  type 'a op = Add : int -> unit op | Get : int op | Refuse : int op | Tell_and_refuse : int op
  type wrapped_op = Mk : 'a op * ('a -> unit) -> wrapped_op

  let init () = { n = 0; in_progress = false }

  let apply counter (Mk (op, set)) =
    match op with
    | Add k ->
        counter.n <- counter.n + k;
        set ()
    | Get -> set counter.n
    | Refuse -> raise Refused
    | Tell_and_refuse ->
        set counter.n;
        raise Refused

  let run counter (_ : Task.pool) ops =
    if counter.in_progress then failwith "two batches at a time";
    counter.in_progress <- true;
    Fun.protect
      (fun () -> Array.iter (apply counter) ops)
      ~finally:(fun () -> counter.in_progress <- false)
end

module Batched_counter = Batcher.Make (Counter)

let add c = Batched_counter.apply c (Add 1)
let value c = Batched_counter.apply c Get

let with_counter num_domains f =
  let pool = Task.setup_pool ~num_domains () in
  Fun.protect
    (fun () -> f pool (Batched_counter.init pool))
    ~finally:(fun () -> Task.teardown_pool pool)

let on_each test () = List.iter (fun num_domains -> with_counter num_domains test) [ 0; 1; 3 ]

let many pool c =
  Task.run pool (fun () ->
      Task.parallel_for ~start:1 ~finish:2000 ~body:(fun _ -> add c) pool;
      Alcotest.(check int) "from a loop" 2000 (value c);
      let tasks = List.init 1000 (fun _ -> Task.async pool (fun () -> add c)) in
      List.iter (Task.await pool) tasks);
  Alcotest.(check int) "from tasks" 3000 (value c)

let from (place : Place.t) =
  on_each (fun _ c ->
      place.call (fun () -> add c);
      Alcotest.(check int) "value" 1 (place.call (fun () -> value c)))

(* Where [run] raises, the fork's structure hangs from then on. *)
let raising pool c =
  add c;
  Alcotest.check_raises "told of it" Refused (fun () ->
      ignore (Batched_counter.apply c Refuse : int));
  let refused () = match Batched_counter.apply c Refuse with _ -> 0 | exception Refused -> 1 in
  let count () =
    Task.parallel_for_reduce ~start:1 ~finish:100 ~body:(fun _ -> refused ()) pool ( + ) 0
  in
  Alcotest.(check int) "everybody" 100 (Task.run pool count);
  add c;
  Alcotest.(check int) "goes on" 2 (value c)

(* Whoever has a result gets it, though the batch failed; the failure is reported. *)
let raising_after_the_result _ c =
  let reported = Atomic.make 0 in
  let default exn _ =
    Printf.eprintf "a failure that nobody awaited: %s\n" (Printexc.to_string exn)
  in
  Drover.Promise.on_unawaited_failure (fun exn _ -> if exn = Refused then Atomic.incr reported);
  Fun.protect
    (fun () -> Alcotest.(check int) "the result" 0 (Batched_counter.apply c Tell_and_refuse))
    ~finally:(fun () -> Drover.Promise.on_unawaited_failure default);
  Alcotest.(check int) "reported" 1 (Atomic.get reported)

let internal_data _ c =
  add c;
  let counter = Batched_counter.unsafe_get_internal_data c in
  Alcotest.(check int) "the counter" 1 counter.n;
  Batched_counter.unsafe_set_internal_data c { counter with n = 5 };
  Alcotest.(check int) "another" 5 (value c)

(* Tells that an element is in before it is, and uses the pool for the work. *)
module Bag = struct
  type 'a t = { mutable elements : 'a list }
  type ('a, 'b) op = Insert : 'a -> ('a, unit) op | Elements : ('a, 'a list) op
  type 'a wrapped_op = Mk : ('a, 'b) op * ('b -> unit) -> 'a wrapped_op

  let init () = { elements = [] }

  let tell (type a) (bag : a t) : a wrapped_op -> a list = function
    | Mk (Elements, set) ->
        set bag.elements;
        []
    | Mk (Insert x, set) ->
        set ();
        [ x ]

  let run bag pool ops =
    let finish = Array.length ops - 1 in
    let inserted =
      Task.parallel_for_reduce ~start:0 ~finish ~body:(fun i -> tell bag ops.(i)) pool ( @ ) []
    in
    bag.elements <- inserted @ bag.elements
end

module Batched_bag = Batcher.Make1 (Bag)

let acknowledged_when_done () =
  let pool = Task.setup_pool ~num_domains:2 () in
  let bag = Batched_bag.init pool in
  let is_in i =
    Batched_bag.apply bag (Insert i);
    List.mem i (Batched_bag.apply bag Elements)
  in
  let all =
    Task.run pool (fun () ->
        Task.parallel_for_reduce ~start:1 ~finish:300 ~body:is_in pool ( && ) true)
  in
  Alcotest.(check bool) "what was inserted is in" true all;
  let sorted = List.sort Int.compare (Batched_bag.apply bag Elements) in
  Alcotest.(check (list int)) "all" (List.init 300 succ) sorted;
  let words = Batched_bag.init pool in
  Batched_bag.apply words (Insert "a");
  Alcotest.(check (list string)) "of another type" [ "a" ] (Batched_bag.apply words Elements);
  Task.teardown_pool pool;
  Failing.misuse "pool already torn down" (fun () -> Batched_bag.init pool)

let everywhere name test = Watchdog.case name (on_each test)

let () =
  Alcotest.run "unit domainslib batcher"
    [
      ( "counter",
        [
          everywhere "many operations" many;
          everywhere "a batch that raises" raising;
          everywhere "a batch that raises after a result" raising_after_the_result;
          everywhere "the structure itself" internal_data;
        ] );
      ("apply from", List.map (fun (p : Place.t) -> Watchdog.case p.name (from p)) Place.all);
      ("bag", [ Watchdog.case "done when acknowledged" acknowledged_when_done ]);
    ]
