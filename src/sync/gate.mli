(** Gates, that are closed, and then open for ever. *)

type t
(** The type for gates. *)

val create : unit -> t
(** [create ()] is closed. *)

val is_open : t -> bool
(** [is_open g] is whether [g] is open. Any thread. Never waits. *)

val open_up : t -> unit
(** [open_up g] opens [g], and wakes all who wait there. Any thread. Never waits. In a section. *)

val pass : t -> unit
(** [pass g] waits until [g] is open. In a section. Raises what [Wait.wait] does. *)
