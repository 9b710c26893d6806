(** Several pieces of one piece of work, that fail together.

    The first failure wins, and pieces that have not started then are skipped; it carries the
    failures of those that had. The pieces are joined by [both], which waits for all that have
    started; what they raise to each other says only that there is a failure, and why the others are
    cancelled.

    All of this may be called by any thread of any domain, and nothing waits. *)

type t
(** The type for the failures of pieces. *)

exception Skipped of exn
(** Raised by a piece that is skipped, as another has failed for this reason. *)

exception Enough
(** Raised by a piece, when the others need not go on although nothing is wrong. *)

val create : unit -> t
(** [create ()] has no failure. *)

val run : (t -> 'a) -> 'a
(** [run f] is [f g], whose pieces it runs with a fresh [g], or raises what {!finish} does. *)

val finish : t -> (unit -> 'a) -> 'a
(** [finish g f] is [f ()]; where that raises [Skipped] or is cancelled, it raises the first failure
    among the pieces of [g], if there is one. *)

val fail : t -> 'a
(** [fail g] raises the first failure among the pieces of [g], of which one has failed. *)

(** {1 Pieces} *)

val piece : t -> (unit -> 'a) -> 'a
(** [piece g f] is [f ()], unless a piece has failed. Raises [Skipped] if so, or if [f] raises. *)

val check : t -> unit
(** [check g] raises [Skipped] if a piece has failed. *)

val has_failed : t -> bool
(** [has_failed g] is whether a piece has failed. Then it stays so. *)

val add : t -> Failure.t -> unit
(** [add g failure] is the failure of a piece. Lock-free. *)

(** {1 What was raised} *)

val is_consequence : exn -> bool
(** [is_consequence exn] is whether [exn] is no failure of its own: [Skipped], [Enough] or a
    cancellation. *)

val reason : exn -> exn
(** [reason exn] is why others are cancelled when [exn] was raised. *)

val with_failure : Failure.t -> Failure.t list -> Failure.t list
(** [with_failure failure before] is [before], latest first, with [failure], once. To be cancelled
    counts as long as there is nothing else; so that is the first, if it is there. *)
