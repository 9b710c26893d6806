(** The life of a team of workers: create, run, close; see [Drover.Pool], and [Drover.run] and
    [Drover.async]. *)

type t = Worker.team
(** The type for pools. *)

val create : ?name:string -> ?domains:int -> ?minor_heap_words:int -> ?adaptive:bool -> unit -> t

val create_for :
  string -> ?name:string -> ?domains:int -> ?minor_heap_words:int -> ?adaptive:bool -> unit -> t
(** [create_for caller ()] is [create ()], called by the function [caller]. *)

val name : t -> string
val size : t -> int
val run : t -> (unit -> 'a) -> 'a
val staff : t -> unit
val close : t -> unit

val close_in_any_case : t -> unit
(** [close_in_any_case p] is [close p], which waits even if the caller is cancelled. *)

val default : unit -> t
(** [default ()] is the default pool, which is made when it is first used. *)

val with_new : (unit -> t) -> (t -> 'a) -> 'a
(** [with_new create f] is [f (create ())], and then closes that pool, in any case. *)

val run_in_new : ?domains:int -> (unit -> 'a) -> 'a
(** [run_in_new f] is [Drover.run f]. *)

val async : (unit -> 'a) -> 'a Promise.t
(** [async f] is a promise for [f ()], run as a task of the {!ambient} pool that goes its own way.
    Any thread. Never waits. *)

val async_in : t -> (unit -> 'a) -> 'a Promise.t
(** [async_in p f] is the same in [p]. Raises [Invalid_argument] if [p] is closed. *)

(** {1 The calling task's} *)

val current : unit -> t option
(** [current ()] is the pool of the calling task, if it is one. *)

val is_inside : t -> bool
(** [is_inside p] is whether that is [p]. *)

val ambient : unit -> t
(** [ambient ()] is the pool of the calling task, or the default one. *)

val inside : (unit -> 'a) -> 'a
(** [inside f] is [f ()], in a task of the ambient pool, for which a thread waits. *)
