(** Batched objects: what operations are queued in, and how some of them are applied, as a batch.

    One thread or task at a time {e enters} an object, as its server, and leaves it. Who that is
    next, {!Batch_server} says. *)

(** Whether operations that are left are served at once, or when workers have nothing else to do. *)
type policy = At_once | When_idle

type 'op t = private {
  id : int;
  run : 'op array -> unit;  (** the batch function *)
  applied : 'op -> bool;
  pool : Pool.t option;
  max : int;  (** operations in a batch *)
  policy : policy;
  queue : 'op Batch_entry.t Batch_queue.t;
  launched : Worker.team Atomic.t;
      (** in which team a task that will serve has been launched, or {!no_team} *)
  put_off : Worker.team Atomic.t;  (** the same for one put where idle workers look *)
  spent : float Atomic.t;
      (** seconds that batches have gone before other work since its last turn *)
  tally : Batch_tally.t;
  mutable context : Context.t;  (** of the next batch; the server's *)
  mutable thread : int;  (** that serves outside any task *)
}
(** The type for objects with operations ['op]. *)

val create :
  ?pool:Pool.t ->
  ?max:int ->
  ?policy:policy ->
  ?timed:bool ->
  ?applied:('op -> bool) ->
  ('op array -> unit) ->
  'op t
(** [create run] is an object at rest, as [Drover.Batch.create] has it. Raises [Invalid_argument] if
    [max < 1]. *)

val no_team : Worker.team
(** [no_team] stands for the absence of a team. *)

val create_entry : 'op t -> 'op -> 'op Batch_entry.t
(** [create_entry t op] is an entry for [op], not queued yet. *)

val has_result : 'op t -> 'op -> bool
(** [has_result t op] is whether [op] says that it was applied. *)

(** {1 To serve} *)

val no_thread : int
(** [no_thread] stands for the absence of a thread that serves outside any task. *)

val number : Worker.t option -> int
(** [number w] is the calling thread's number, or [no_thread] if it is in a task, which [w] runs. *)

val enter_if_free : 'op t -> int -> bool
(** [enter_if_free t (number w)] makes the caller the server of [t], if that is at rest with nothing
    in its queue. One step (see [Critical]), as the others are that enter and leave. *)

val enter : ?most:int -> 'op t -> int -> bool
(** [enter t (number w)] makes the caller the server, if nobody serves and operations are left; at
    most [most] of them. *)

val leave_if_empty : 'op t -> bool
(** [leave_if_empty t] leaves, or is [false] if operations were queued meanwhile. *)

val leave_queue : 'op t -> unit
(** [leave_queue t] leaves. A second half: may be called again. *)

val context_in : Worker.t -> 'op t -> Context.t
(** [context_in w t] is the context of the next batch, when the server's task, which [w] runs, is
    part of other batches or not. *)

val run_batch : 'op t -> Worker.t option -> int -> ('x -> unit) -> 'x -> unit
(** [run_batch t w n f x] is [f x], which applies [n] operations, in the context of the object.
    Raises what [f] does. *)

(** {1 Operations that were queued} *)

type 'op batch
(** The type for batches. *)

val create_batch : 'op t -> 'op Batch_entry.t array -> queued:int -> 'op batch
(** [create_batch t entries ~queued] is a batch of [entries], of which the first [queued] are the
    oldest in the queue. *)

val apply : 'op t -> Worker.t option -> 'op batch -> unit
(** [apply t w b] applies [b], publishes it, and wakes its submitters. Raises what a callback has
    raised: what was not begun by then stays queued. *)

val serve_some : 'op t -> Worker.t option -> unit
(** [serve_some t w] applies the oldest operations, as many as go into a batch. *)
