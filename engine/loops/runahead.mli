(** The iterations of a loop that a run of it begins while an earlier one waits for a batch (see
    [Ahead]).

    Those that have left their chain are on their own (see [Alone]): together with the run they
    count as one part. Nothing waits. *)

type t
(** The type for what one run has begun ahead. *)

val create : Context.t -> Gather.t -> Alone.t -> (int -> unit) -> t
(** [create context gather alone iteration] has begun nothing yet. [context] is that of the loop's
    call, and [iteration i] is the [i]th, whose failure [gather] gets. The caller counts the part in
    [alone] (see [Alone.enter]). *)

val begin_one : Worker.t -> t -> int -> unit
(** [begin_one w ahead i] begins the iteration [i] on top of the calling task, which [w] runs, and
    returns when that has ended or left its chain. *)

val leave : t -> unit
(** [leave ahead]: the run has ended. May be called again. *)

(** {1 Whether to begin one} *)

val full_trust : int
(** [full_trust] is the trust that iterations are short. A loop begins none ahead when its trust is
    zero or less. *)

val judge : int -> int
(** [judge trust] is [trust], where it was, after the chain that has just ended. *)
