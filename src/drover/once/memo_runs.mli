(** Runs of the functions of memo tables: which of them wait for which, and whether in a circle. *)

type t
(** The type for runs: one computation of the value of one key. *)

val create : t option -> hash:int -> t
(** [create computed_for ~hash] is a run that begins, as part of another or not; [hash] is that of
    its key. *)

val finish : t -> unit
(** [finish run]: it has ended, and those who wait are woken. May be called again. Never waits. *)

val ended : t -> unit Ivar.t
(** [ended run] is filled when [run] has finished. *)

(** {1 Waits} *)

val note : t -> t -> unit
(** [note waiter run]: a task of [waiter] is about to wait until [run] has ended. *)

type order
(** The type for what keeps the waits of some runs in order. *)

val order : unit -> order
(** [order ()] is for runs that wait for no others. *)

val closes_circle : order -> t -> t -> bool
(** [closes_circle order waiter run], by that task, is whether [run] waits for [waiter], by however
    many steps. Of the waits that close a circle at the same moment, at least one is told. Any
    domain. Never waits. *)

val forget : t -> t -> unit
(** [forget waiter run]: that task does not wait, or no more. *)
