(** Test cases inside Eio's loop. *)

val case : string -> (Eio_unix.Stdenv.base -> unit) -> unit Alcotest.test_case
(** [case name f] is a test case that calls [f] in a loop, under a watchdog, and checks that no task
    is in flight afterwards. *)

val check_int : string -> int -> int -> unit
val check_bool : string -> bool -> bool -> unit

val until : (unit -> bool) -> unit
(** [until condition] is for fibers: lets others run until [condition ()] holds. *)

val hold : ?pool:Drover.Pool.t -> (unit -> unit) -> unit
(** [hold f] is [f ()], while the workers of [pool] are busy. *)

val never : unit -> 'a
(** [never ()] is for tasks: waits until it is cancelled. *)

val spin : bool Atomic.t -> 'a
(** [spin started] is for tasks: says that it has started, and looks until it is cancelled. *)
