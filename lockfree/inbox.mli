(** Queues for items from outside.

    Any domain adds an item; any domain takes all of them at once. *)

type 'a t
(** The type for inboxes of ['a]. *)

val create : unit -> 'a t
(** [create ()] is an empty inbox. *)

val add : 'a t -> 'a -> unit
(** [add b x] puts [x] into [b]. Any domain. Lock-free. *)

val take_all : 'a t -> 'a list
(** [take_all b] empties [b] and is what it held, newest first. Any domain. Never waits. *)

val is_empty : 'a t -> bool
(** [is_empty b] is [true] iff [b] held nothing at some moment of the call. Any domain. Never waits.
*)
