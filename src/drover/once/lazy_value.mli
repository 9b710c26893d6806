(** Lazy values that any number of tasks, threads and domains may force at once.

    The values of the keyword [lazy] are the standard library's: instead of [lazy e], write
    [from_fun (fun () -> e)]. Where a computation forces itself, [Invalid_argument] takes the place
    of [Stdlib.Lazy.Undefined]. *)

type 'a t
(** The type for lazy values of type ['a]. *)

val from_fun : (unit -> 'a) -> 'a t
(** [from_fun f] is a lazy value that is computed by [f ()], in the first task or thread that forces
    it. *)

val from_val : 'a -> 'a t
(** [from_val v] is a lazy value that has been forced to [v]. *)

val force : 'a t -> 'a
(** [force l] is the value of [l]. The function [f] of {!from_fun} is called once; [force] suspends
    or blocks while another caller runs it. If [f] raises, each [force] raises its exception with
    its backtrace, unless that was the cancellation of the task that forced [l]: then the next
    [force] calls [f] again. The cancellation of a fiber of another scheduler is a failure like any
    other. Raises [Invalid_argument] if [f] itself forces [l]. Tasks that [f] waits for must not
    force [l] either: they would wait for ever. Once [l] is forced, [force] is a load. *)

val is_val : 'a t -> bool
(** [is_val l] is [true] iff [l] was forced and did not raise. Never waits. *)

val force_val : 'a t -> 'a
(** [force_val] is {!force}. *)

val map : ('a -> 'b) -> 'a t -> 'b t
(** [map f l] is a lazy value that is computed by [f (force l)]. *)

val map_val : ('a -> 'b) -> 'a t -> 'b t
(** [map_val f l] is {!map}[ f l]; but if [l] was forced and did not raise, [f] is called at once.
*)
