(* Batcher: data structures that apply operations in batches, on Drover's [Batch].

   An operation of theirs comes with a function that takes its result; that function settles a
   promise. An operation ends when its batch has, and not with its result: a batch may tell results
   before it has done the work. *)

module Task = Domainslib_task
module Batch = Drover.Batch
module Promise = Drover.Promise

module type S = sig
  type t
  type 'a op
  type wrapped_op = Mk : 'a op * ('a -> unit) -> wrapped_op

  val init : unit -> t
  val run : t -> Task.pool -> wrapped_op array -> unit
end

module type S1 = sig
  type 'a t
  type ('a, 'b) op
  type 'a wrapped_op = Mk : ('a, 'b) op * ('b -> unit) -> 'a wrapped_op

  val init : unit -> 'a t
  val run : 'a t -> Task.pool -> 'a wrapped_op array -> unit
end

(* What both functors make, of a structure ['ds] with the operations ['op]. *)

type 'op submission = { op : 'op; has_result : unit -> bool }
type ('ds, 'op) batched = { structure : 'ds ref; batch : 'op submission Batch.t }

let batched structure run pool =
  let structure = ref structure in
  let run submissions = run !structure pool (Array.map (fun s -> s.op) submissions) in
  let applied s = s.has_result () in
  { structure; batch = Batch.create ~pool:(Task.get pool) ~applied run }

(* [wrap set] is the operation whose result is given to [set]. *)
let apply b wrap =
  let promise, set = Task.promise () in
  Batch.submit b.batch { op = wrap set; has_result = (fun () -> Promise.is_settled promise) };
  Promise.await promise

module Make (S : S) = struct
  type t = (S.t, S.wrapped_op) batched
  type 'a op = 'a S.op

  let init pool = batched (S.init ()) S.run pool
  let apply b op = apply b (fun set -> S.Mk (op, set))
  let unsafe_get_internal_data b = !(b.structure)
  let unsafe_set_internal_data b structure = b.structure := structure
end

module Make1 (S : S1) = struct
  type 'a t = ('a S.t, 'a S.wrapped_op) batched
  type ('a, 'b) op = ('a, 'b) S.op

  let init pool = batched (S.init ()) S.run pool
  let apply b op = apply b (fun set -> S.Mk (op, set))
  let unsafe_get_internal_data b = !(b.structure)
  let unsafe_set_internal_data b structure = b.structure := structure
end
