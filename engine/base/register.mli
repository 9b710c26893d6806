(** Registers: immutable lists of what ends some day. Those that have ended are cleared away when
    the list has doubled since it was last cleared, so it has at most twice as many as there are. *)

type 'a t
(** The type for registers. *)

val empty : 'a t
(** [empty] has no members. *)

val members : 'a t -> 'a list
(** [members r] is its members, the newest first; some may have ended. *)

val add : still:('a -> bool) -> 'a t -> 'a -> 'a t
(** [add ~still r x] is [r] with [x]; [still] is whether a member has not ended. Amortised O(1). *)
