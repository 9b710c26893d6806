(** Processes that keep processors busy, to measure on a machine that is not quiet. They are
    processes because domains would take part in this program's collections. *)

val start : int -> unit
(** [start n] starts [n] of them, which end with this program, however it ends. To be called before
    any domain is spawned. *)

val beside : int -> (unit -> 'a) -> 'a
(** [beside n f] is [f ()], beside [n] of them, which end with it. To be called before any domain is
    spawned. *)
