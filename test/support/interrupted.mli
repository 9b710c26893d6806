(** Calls that a callback of Memprof interrupts. *)

val at : int -> (unit -> unit) -> (unit -> 'a) -> 'a
(** [at n callback f] is [f ()], in which the [n]-th allocation of the calling thread calls
    [callback ()]. What that raises, the allocation raises. *)

val beside : int -> (unit -> unit) -> (unit -> 'a) -> 'a
(** [beside n callback f] is the same for the [n]-th allocation of the domain's other threads. *)
