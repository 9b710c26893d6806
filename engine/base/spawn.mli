(** How Drover makes domains and threads of its own: with all signals blocked, so that no handler of
    the program's runs there, not even in their first steps. Any thread. *)

val domain : ?keep:(unit Domain.t -> unit) -> (unit -> unit) -> bool
(** [domain ~keep live] makes a domain that does [live ()] and ends, and [keep]s it; [false] if
    there is no room for another one. *)

val thread : ('a -> unit) -> 'a -> bool
(** [thread live x] makes a thread of the calling domain that does [live x]; [false] if none can be
    made. *)
