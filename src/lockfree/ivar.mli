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

val on_fill : 'a t -> (unit -> unit) -> unit
(** [on_fill c k] calls [k] once, when [c] is full: in the [fill] to come, or at once. [k] must not
    raise or wait. Any domain. Lock-free. *)
