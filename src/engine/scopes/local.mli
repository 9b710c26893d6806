(** Task-local values: [Drover.Local]. Any thread; only [with_value] waits, outside the pools. *)

type 'a t = 'a Context.Locals.key

val create : 'a -> 'a t
(** [create default] is a value that is [default] where it is not bound. *)

val get : 'a t -> 'a
(** [get key] is its value in the calling task. *)

val with_value : 'a t -> 'a -> (unit -> 'b) -> 'b
(** [with_value key v f] is [f ()], in which [key] is [v], and in what that starts. *)
