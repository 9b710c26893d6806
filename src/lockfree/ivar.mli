(** Cells that are filled once. *)

type 'a t
(** The type for cells of ['a]. *)

val create : unit -> 'a t
(** [create ()] is an empty cell. *)

val full : 'a -> 'a t
(** [full v] is a cell filled with [v]. *)

val fill : 'a t -> 'a -> bool
(** [fill c v] fills [c] with [v] and calls what waits, in order of arrival; [false], and nothing
    else, if [c] is full already. Any domain. Lock-free. *)

val peek : 'a t -> 'a option
(** [peek c] is what fills [c], if anything does. Any domain. Never waits. *)

val is_full : 'a t -> bool
(** [is_full c] is whether anything fills [c]. Then it stays so. Any domain. Never waits. *)

val get : 'a t -> 'a
(** [get c] is what fills [c], which is full. Raises [Invalid_argument] if it is not. *)

val on_fill : 'a t -> (unit -> unit) -> unit
(** [on_fill c k] calls [k] when [c] is full: in the [fill] to come, or at once; once, or again if
    the handler of a signal or the like has raised meanwhile. [k] must not raise or wait. Any
    domain. Lock-free. *)

type seat
(** The type for the seats of waiters that may stand up; each for one [sit]. *)

val seat : unit -> seat
(** [seat ()] is a free seat. *)

val sit : 'a t -> seat -> (unit -> unit) -> unit
(** [sit c s k] is [on_fill c k], until [stand_up s]. *)

val stand_up : seat -> unit
(** [stand_up s] has the cell forget the waiter that sits in [s]. A [fill] at the same time may
    still call it, and a [sit] at the same time may still seat it. Any domain. Never waits. *)
