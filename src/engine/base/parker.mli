(** Parkers: where one thread is parked until it is woken.

    A wake-up that comes first is kept as a token, and several make one. A parked thread is in a
    blocking section, so it holds up no minor collection. *)

type t
(** The type for parkers, each of one thread at a time. *)

val create : unit -> t
(** [create ()] has no token. *)

val park : t -> unit
(** [park p] blocks the calling thread until there is a token, and takes it. Raises what a signal's
    handler does, and has taken none then. *)

val park_by : t -> unblock:(unit -> unit) -> (unit -> unit) -> bool
(** [park_by p ~unblock block] calls [block], which blocks until [unblock] is called or for some
    other reason ends, unless there is a token; and is whether there is one now, which it takes.
    Raises what [block] does. *)

val on_glance : (unit -> unit) -> unit
(** [on_glance f] has the main thread call [f], which must not wait, whenever it looks up while it
    is parked, about once a second, and was not woken. *)

val wake : t -> unit
(** [wake p] gives [p] a token. Any thread of any domain, also in the handler of a signal. Never
    waits. *)
