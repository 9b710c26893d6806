(** Batched objects: what operations are queued in, and how some of them are applied, as a batch.

    One thread or task at a time {e serves} an object: it enters its queue, applies operations, and
    leaves. Who that is next, {!Batch} says. All of this is for sections. *)

(** Where a task that will serve is on its way: nowhere, behind other work, or before it. *)
type lane = Nowhere | Behind | First

type tally = private {
  mutable operations : int;
  sizes : int array;  (** batches of 2{^ i} .. 2{^ i+1} - 1 operations *)
}
(** The type for what an object has done. Its server writes. Any thread may read it; its numbers may
    be of different moments. *)

type 'op t = private {
  id : int;
  one : ('op -> bool) option;  (** applies an operation that comes alone, or leaves that to [run] *)
  run : 'op array -> unit;  (** the batch function *)
  applied : 'op -> bool;
  pool : Pool.t option;
  max : int;  (** operations in a batch *)
  queue : 'op Batch_entry.t Batch_queue.t;
  lane : lane Atomic.t;
  tally : tally;
  mutable context : Context.t;  (** of the next batch; the server's, as the following *)
  mutable spent : float;
      (** seconds that batches have gone before other work since other work last came *)
  mutable thread : int;  (** that serves outside any task *)
  mutable stack : int;  (** that [one] runs on *)
}
(** The type for objects with operations ['op]. *)

val create :
  ?pool:Pool.t ->
  ?max:int ->
  ?applied:('op -> bool) ->
  ?one:('op -> bool) ->
  ('op array -> unit) ->
  'op t
(** [create run] is an object at rest, as [Drover.Batch.create] has it. Raises [Invalid_argument] if
    [max < 1]. *)

val check_not_inside : 'op t -> unit
(** [check_not_inside t] raises [Invalid_argument] in the object's own batch function, where it
    would wait for itself. *)

(** {1 For the server}

    That is a task which [w] runs, or a thread outside any. *)

val begin_service : 'op t -> Worker.t option -> unit
(** [begin_service t w]: the caller has entered the queue. *)

val end_service : 'op t -> int
(** [end_service t] leaves the queue, and is how many operations are left there. *)

val begin_slice : 'op t -> unit
(** [begin_slice t]: other work has come, and a slice of time begins for batches. *)

val apply_one : 'op t -> Worker.t option -> 'op -> Failure.t
(** [apply_one t w op] applies [op], which is not queued, by itself; [Failure.none], or how that
    failed. If [op] has its result, a failure is reported. Raises nothing. *)

val apply_oldest : 'op t -> Worker.t option -> max:int -> 'op Batch_entry.t array -> unit
(** [apply_oldest t w ~max own] applies the oldest operations of the queue, up to [max] of them, and
    [own], publishes them, and wakes their submitters. Raises what a signal's handler does; if that
    came before their batch, they are in the queue still, but for [own]. *)
