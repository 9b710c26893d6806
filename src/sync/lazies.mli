(** Lazy values that any number of tasks, threads and domains may force at a time. *)

type 'a t
(** The type for lazy values of type ['a]. *)

val from_fun : (unit -> 'a) -> 'a t
(** [from_fun f] is [f ()], which the first {!force} calls, in the task or thread that forces. *)

val from_val : 'a -> 'a t
(** [from_val v] is [v], forced already. *)

val force : 'a t -> 'a
(** [force l] is the value of [l]. [f] is called once; suspends or blocks while another calls it.
    Raises what it raised, each time, with its backtrace; unless that was the cancellation of the
    task that forced [l]: then the next [force] calls [f]. Raises [Invalid_argument] if [f] forces
    [l]; a task that [f] waits for must not either. The cancellation of a fiber of another scheduler
    is a failure like any other. Once [l] is forced: a load. *)

val is_val : 'a t -> bool
(** [is_val l] is [true] iff [l] was forced and did not raise. Never waits. *)
