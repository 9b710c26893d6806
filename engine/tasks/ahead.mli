(** Iterations that a worker begins while an earlier one waits for a batch.

    They lie on top of each other, in fibers of their own: the worker's {e chain}. Until it leaves
    its chain, i.e. is suspended by itself, an iteration counts as part of the task that it lies on;
    then it is on its own. *)

type place = private { index : int; mutable has_left : bool  (** the chain it was begun in *) }
(** The type for iterations that were begun ahead. *)

type t = {
  context : Context.t;
  parent : Token.t;  (** of their tokens *)
  iteration : place -> unit;  (** does not raise *)
  left : int Atomic.t;  (** counts those that leave *)
}
(** The type for what the iterations have in common that a part of a loop begins ahead. *)

(** {1 For the loop} *)

val run : Worker.t -> t -> int -> unit
(** [run w t index] begins the iteration [index] on top of the calling task, which [w] runs; returns
    when it has ended or left. Only a callback raises here, in the code around the iteration. *)

val is_in_chain : unit -> bool
(** [is_in_chain ()] is whether the caller's fiber lies on top of another. *)

val ended_soon : unit -> bool
(** [ended_soon ()], for whoever began the chain, when [run] has returned: whether it ended soon
    once it could. *)

(** {1 For a task that waits for a batch}

    [awaited] is the number of the batched object. *)

val begin_next : int -> bool
(** [begin_next awaited] begins an iteration ahead, and returns when that has ended or left; [false]
    if there is none, or if there should be none. *)

val sleep : int -> Sleeper.t -> unit
(** [sleep awaited sleeper] is [Task.sleep], with the caller's chain. *)

val go_on : unit -> unit
(** [go_on ()], when the caller's operation has been applied, lets others go first, if it lies on a
    chain while thieves have nothing to do. *)
