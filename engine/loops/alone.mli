(** The parts of a loop that are on their own, because the iteration before them was suspended:
    nobody joins them, but the call of the loop waits until all have ended.

    Any thread of any domain, unless it says otherwise; only {!join} waits. *)

type t
(** The type for such parts of one call. The call counts as one of them. *)

type ending = private { mutable is_counted : bool; mutable was_last : bool }
(** The type for whether something has been counted down, and was the last. *)

val shared : t option Atomic.Loc.t -> Token.t -> t
(** [shared field parent] is what [field] has, where the first caller puts it. It has no part yet.
    The parts are cancelled through {!token}, which is below [parent]; if one fails, that is a cause
    for the fiber of [parent]. *)

val token : t -> Token.t
(** [token alone] is what cancels the parts. *)

val ending : unit -> ending
(** [ending ()] is for one who has not been counted down. *)

val count_down : int Atomic.t -> ending -> unit
(** [count_down left ending] counts [left] down, if [ending] says that this has not been done. One
    step (see [Critical]): may be called again. *)

(** {1 Parts} *)

val enter : t -> unit
(** [enter alone] counts one part more, before it is given away. One step. *)

val withdraw : t -> unit
(** [withdraw alone] takes that back, for a part that was not given away after all. One step, which
    {!fill_if_over} follows. *)

val fill_if_over : t -> unit
(** [fill_if_over alone] wakes the call, if that has ended meanwhile, as it may where its frame has
    moved. *)

val job : t -> Error_group.t -> Token.t -> (unit -> unit) -> Job.t
(** [job alone errors token part] is the job of a part, which enters the context of its task, whose
    token is [token]. Its end is counted in any case. *)

val end_piece : t -> Error_group.t -> ('a, Failure.t) result -> unit
(** [end_piece alone errors outcome] gives a failure to [errors], and cancels the others. *)

val leave : t -> ending -> unit
(** [leave alone ending]: a part has ended. May be called again with the same [ending]. *)

(** {1 The call} *)

val join : t -> Error_group.t -> ('a, Failure.t) result -> unit
(** [join alone errors outcome]: the call itself has ended. Waits for the others, which are
    cancelled if it has failed. May be called again. *)
