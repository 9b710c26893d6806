(** From where a function may be called. *)

type t = { name : string; call : 'a. (unit -> 'a) -> 'a }
(** The type for places: [call f] is [f ()], called there. *)

val all : t list
(** Every place that the library promises to work from: the main program, tasks of several pools,
    other domains and systhreads, and those inside a task. *)

val few : t list
(** The places that differ most, to nest them. *)

val task : int -> t
(** [task n] is a task of a pool of [n] domains. *)

val in_thread : (unit -> 'a) -> 'a
(** [in_thread f] is [f ()], called in a systhread. *)

val in_domain : (unit -> 'a) -> 'a
(** [in_domain f] is [f ()], called in a domain of its own. *)

val case : string -> (unit -> unit) -> unit Alcotest.test_case
(** [case name f] is a test case that calls [f] in the main program, and in a task of a pool of one
    domain, of two and of four. *)
