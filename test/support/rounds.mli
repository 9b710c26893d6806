(** A small scheduler of fibers on one thread, in turns, that provides domain-local-await. *)

val run : (unit -> 'a) -> 'a
(** [run f] is [f ()], called in a fiber. Returns when all fibers have ended. *)

type fiber
(** The type for fibers. *)

val fork : (unit -> unit) -> fiber
(** [fork f] calls [f ()] in a fiber, when the caller suspends or ends. *)

val pass : unit -> unit
(** [pass ()] lets the other fibers go first. *)

val cancel : fiber -> exn -> unit
(** [cancel f exn] has each wait of [f] raise [exn], also the one that it is in. *)
