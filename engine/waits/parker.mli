(** Parkers: where one thread is parked until it is woken.

    A wake-up that comes first is kept as a token, and several make one. The thread is in a blocking
    section, so it holds up no minor collection. *)

type t
(** The type for parkers, each of one thread at a time. *)

val create : unit -> t
(** [create ()] has no token. *)

val park : t -> unit
(** [park p] blocks the calling thread until there is a token, and takes it. Raises what a signal's
    handler does, and has taken none then; on the main thread only, as no other runs handlers once
    it is parked. *)

val suspend : t -> resume:(unit -> unit) -> (unit -> unit) -> bool
(** [suspend p ~resume await] calls [await], which suspends the calling fiber until [resume] is
    called, unless there is a token; whether there is one now, which it takes. *)

val park_on : Bell.t -> t -> (unit -> unit) -> bool
(** [park_on bell p block] calls [block], which parks on [bell], unless there is a token; whether
    there is one now, which it takes. *)

val wake : t -> unit
(** [wake p] gives [p] a token. Any thread of any domain, also in the handler of a signal. Never
    waits. *)
