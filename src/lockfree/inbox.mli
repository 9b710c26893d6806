(** Queues for items from outside, first in, first out.

    Any domain adds an item; any domain takes one. *)

type 'a t
(** The type for inboxes of ['a]. *)

val create : nil:'a -> 'a t
(** [create ~nil] is an empty inbox. *)

val add : 'a t -> 'a -> unit
(** [add b x] puts [x] into [b]. Any domain. Lock-free. *)

val take : 'a t -> 'a
(** [take b] takes what was added first; [nil] if there is nothing, or another taker was faster. Any
    domain. Never waits. Without a safepoint. *)

val is_empty : 'a t -> bool
(** [is_empty b] is [true] iff [b] held nothing at some moment of the call. Any domain. Never waits.
*)
