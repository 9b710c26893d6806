(** Failures with a backtrace that can be recognised. *)

exception Failed of int

val raise_here : int -> 'a
(** [raise_here n] raises [Failed n]. *)

val is_named : unit -> bool
(** [is_named ()] is [true] iff the backtrace of the exception just caught names {!raise_here}. *)

val names : string -> Printexc.raw_backtrace -> bool
(** [names f backtrace] is [true] iff the function [f] of some module is in [backtrace]. *)

val check : int -> (unit -> 'a) -> unit
(** [check n f] checks that [f ()] raises [Failed n], with a backtrace that names {!raise_here}. *)

val misuse : string -> (unit -> 'a) -> unit
(** [misuse prefix f] checks that [f ()] raises [Invalid_argument] with a message that starts with
    [prefix]. *)

val compare_but : int -> int -> int -> int
(** [compare_but n] is [Int.compare], but raises as {!raise_here} does where it compares with [n].
*)

val raises : string -> exn -> (unit -> 'a) -> unit
(** [raises what exn f] fails, and says [what], unless [f ()] raises [exn]. From any thread. *)
