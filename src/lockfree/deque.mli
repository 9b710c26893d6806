(** Work-stealing deques.

    One {e owner} pushes and pops at the bottom, last in first out; any number of {e thieves} steal
    at the top, first in first out. The circular array of Chase and Lev, "Dynamic Circular
    Work-Stealing Deque" (SPAA 2005), with the sequentially consistent atomics of OCaml. *)

type 'a t
(** The type for deques of ['a]. *)

val create : nil:'a -> 'a t
(** [create ~nil] is an empty deque; [nil] fills its empty slots. *)

val push : 'a t -> 'a -> unit
(** [push d x] puts [x] at the bottom of [d]. Owner only. Never waits. Amortised O(1). *)

val put : 'a t -> 'a -> bool
(** [put d x] is [push d x], or [false] if there is no room. Without a safepoint, as {!pop} and
    {!steal} are. *)

val has_room : 'a t -> bool
(** [has_room d] is whether there is room for one item. Then it stays so until the owner's next
    push. Owner only. *)

val make_room : 'a t -> unit
(** [make_room d] makes room for one item. Owner only. Never waits. *)

val trim : 'a t -> kept:int -> unit
(** [trim d ~kept] gives back the room of [d] beyond that for [kept] items, a power of two, if [d]
    is empty. Owner only. Never waits. *)

val pop : 'a t -> 'a
(** [pop d] takes the newest item of [d], and is [nil] if there is none. Owner only. Never waits. *)

val drop : 'a t -> 'a -> unit
(** [drop d x] takes [x] out of [d] if it is, physically, the newest item. Owner only. Never waits.
*)

val newest : 'a t -> 'a
(** [newest d] is the newest item of [d], or [nil] if there is none; or one that a thief has just
    taken. Owner only. Never waits. In one step. *)

val drop_oldest_if : ('a -> bool) -> 'a t -> bool
(** [drop_oldest_if condition d] takes the oldest item of [d] if it meets [condition], and nobody
    was faster; whether it did. Owner only. Never waits. *)

val steal : 'a t -> 'a
(** [steal d] takes the oldest item of [d]; [nil] if there is none or if another thief or the owner
    was faster. Any domain. Never waits. A stolen item's slot refers to it until the owner's next
    push reaches that slot. *)

type 'a look
(** The type for what a thief has seen of a deque: its oldest items. *)

val look_at_many : 'a t -> 'a look option
(** [look_at_many d] is the oldest items of a long deque, less than half of them, for {!steal_many};
    [None] if it has few. Any domain. Never waits. *)

val oldest : 'a look -> 'a list
(** [oldest look] is these items, the oldest first. *)

val steal_many : 'a t -> 'a look -> bool
(** [steal_many d look] takes [oldest look]; or none, [false], if one of them may have been taken
    since. Any domain. Never waits. Without a safepoint. *)

val length : 'a t -> int
(** [length d] is the number of items at some moment of the call. Any domain. Never waits. *)

val is_empty : 'a t -> bool
(** [is_empty d] is [length d = 0]. *)
