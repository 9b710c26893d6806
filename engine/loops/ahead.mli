(** Iterations that a worker begins while an earlier one of its loop waits for a batch.

    They lie on top of each other, in fibers of their own: the worker's {e chain}. Until it leaves
    its chain, i.e. is suspended by itself, an iteration counts as part of the task that it lies on;
    then it is on its own (see {!Alone}). *)

(** {1 For a run of a loop}

    Nothing here waits. *)

type t
(** The type for what one run has begun ahead. With those that have left their chain, it counts as
    one part of the loop. *)

val create : Context.t -> Error_group.t -> Alone.t -> (int -> unit) -> t
(** [create context errors alone iteration] has begun nothing yet. [context] is that of the loop's
    call, and [iteration i] is the [i]th, whose failure [errors] gets. The caller counts the part in
    [alone] (see [Alone.enter]). *)

val begin_one : Worker.t -> t -> int -> unit
(** [begin_one w t i] begins the iteration [i] on top of the calling task, which [w] runs; returns
    when that has ended or left its chain. Only a callback raises here, in the code around the
    iteration. *)

val leave : t -> unit
(** [leave t]: the run has ended. May be called again. *)

val full_trust : int
(** [full_trust] is the trust that iterations are short. A loop begins none ahead when its trust is
    zero or less. *)

val judge : int -> int
(** [judge trust] is [trust], where it was, after an iteration that was begun ahead. *)

(** {1 For a task that waits for a batch}

    [awaited] is the number of the batched object. *)

val begin_next : int -> bool
(** [begin_next awaited] begins an iteration ahead, and returns when that has ended or left; [false]
    if there is none, or if there should be none. *)

val wait : int -> Waiter.t -> unit
(** [wait awaited waiter] is [Task.wait_unseen], with the caller's chain. *)

val go_on : unit -> unit
(** [go_on ()], when the caller's operation has been applied, lets others go first, if it lies on a
    chain while thieves have nothing to do. *)
