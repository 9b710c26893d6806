(** Scopes: what is spawned in one ends before it does; see [Drover.Scope]. *)

type t
(** The type for scopes. *)

val run : (t -> 'a) -> 'a
(** [run f] is [f s], and waits for what is started in [s], in any case. Any thread; one outside the
    pools waits for a task of the default pool. Raises the first failure, which carries the others.
*)

val run_in : (t -> Context.t -> Context.t) -> (t -> 'a) -> 'a
(** [run_in change f] is [run f], where [f s] runs in the context that [change s], called before,
    makes of that of the scope each time that it is entered. *)

val as_it_is : t -> Context.t -> Context.t
(** [as_it_is s] changes nothing. *)

val async : t -> (unit -> 'a) -> 'a Promise.t
val spawn : ?finally:(unit -> unit) -> t -> (unit -> unit) -> unit

val spawn_for : string -> ?finally:(unit -> unit) -> t -> (unit -> unit) -> unit
(** [spawn_for caller] is [spawn], called by the function [caller] of [Drover]. *)

val daemon : t -> (unit -> unit) -> unit
(** [async], [spawn] and [daemon] start tasks of the scope, from any thread, without a wait. They
    raise [Invalid_argument] if the scope has ended, or its pool is closed. [finally] is called in
    any case: at the end of the task, which may be skipped, or before [spawn] raises. *)

val cancel : t -> exn -> unit
(** [cancel s exn] cancels all that runs in [s], which fails with [exn]; nothing, if it has ended.
    Any thread. Never waits. *)

val first : ?combine:('a -> 'a -> 'a) -> is_over:(exn -> bool) -> (unit -> 'a) list -> 'a
(** [first ~is_over fs] does not report what a loser raises that [is_over]. *)

val any : ?combine:('a -> 'a -> 'a) -> (unit -> 'a) list -> 'a
val suppressed : exn -> (exn * Printexc.raw_backtrace) list

(** {1 The calling task} *)

val check : unit -> unit
(** [check ()] raises [Cancelled] if it is cancelled. *)
