(** A cell for each domain, so that what domains write all the time lies on lines of their own; and
    whether there is anything in one of them, which they all read. *)

type 'a t
(** The type for stripes whose cells hold an ['a]. *)

val create : is_empty:('a -> bool) -> 'a -> 'a t
(** [create ~is_empty empty] is stripes whose cells all hold [empty]. *)

val mine : 'a t -> 'a Atomic.t
(** [mine s] is the cell of the calling domain, which few others share with it. *)

val note : 'a t -> unit
(** [note s] is to follow when something was put into a cell. *)

val is_noted : 'a t -> bool
(** [is_noted s] is [true] if there is something in a cell, or was until {!is_any} was last called.
    One read. *)

val is_any : 'a t -> bool
(** [is_any s] is whether there is something in a cell. Reads all, if {!is_noted}. *)

val iter : ('a Atomic.t -> unit) -> 'a t -> unit
(** [iter f s] is [f] of each cell. *)

val fold : ('a -> 'acc -> 'acc) -> 'a t -> 'acc -> 'acc
(** [fold f s acc] is [f] of what each cell holds, one after the other, from [acc] on. *)
