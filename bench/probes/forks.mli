(** A fork of two functions, by each library. *)

type t = (unit -> unit) -> (unit -> unit) -> unit
(** The type for what runs both, perhaps in parallel. *)

val serial : t
(** [serial f g] is [f (); g ()]. *)

val drover : t
(** [drover] is {!Drover.both}. *)

val domainslib : Domainslib.Task.pool -> t
(** [domainslib pool] makes the second a promise, and awaits it after the first. *)
