(** The interface of Lwt_domain on Drover. To move a program, name the library
    [drover-lwt.lwt_domain] in its dune file.

    It improves on the original: {!run_in_main} suspends instead of blocking a domain, and any
    number of computations may call it at once; exceptions come with their backtraces; and
    [Lwt.cancel] reaches computations (see {!Drover_lwt.detach}). *)

type pool
(** The type for pools. *)

val detach : pool -> ('a -> 'b) -> 'a -> 'b Lwt.t
(** [detach p f x] is a promise for [f x], computed on a domain of [p], or at once in the calling
    thread if [get_num_domains p] is 1. Raises [Invalid_argument] if [p] is torn down. *)

val run_in_main : (unit -> 'a Lwt.t) -> 'a
(** [run_in_main] is {!Drover_lwt.run_in_main}. *)

val setup_pool : ?name:string -> int -> pool
(** [setup_pool n] is a pool of [n] new domains. {!lookup_pool} finds it by its [name]. Raises
    [Invalid_argument] if [n < 0], and [Failure] if there is no room for any domain. *)

val teardown_pool : pool -> unit
(** [teardown_pool p] ends the domains of [p] when all computations that were detached to it have
    ended, including those that have not started. [p] accepts no others. [teardown_pool] does not
    wait for that, because a computation may need the calling thread in order to end. Raises
    [Invalid_argument] if [p] is torn down already. *)

val lookup_pool : string -> pool option
(** [lookup_pool name] is the latest pool with this name that is not torn down, if any. *)

val get_num_domains : pool -> int
(** [get_num_domains p] is the number of domains of [p], including the calling thread's. Raises
    [Invalid_argument] if [p] is torn down. *)
