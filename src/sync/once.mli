(** Things to do once, whoever comes first. *)

type t
(** The type for things to do once. *)

val create : unit -> t
(** [create ()] is not done yet. *)

val run : t -> (unit -> unit) -> unit
(** [run o f] calls [f] if [o] is not done; then [o] is done. While another is at it, suspends or
    blocks. If [f] raises, [o] is not done and the next caller tries: raises what [f] raises, with
    its backtrace. Raises [Invalid_argument] if [f] runs [o]; a task that [f] waits for must not
    either. Once [o] is done: a load. *)

val is_done : t -> bool
(** [is_done o] is [true] iff [o] is done. Never waits. *)
