(** Barriers, where a number of tasks and threads wait for each other, again and again. *)

type t
(** The type for barriers. *)

val create : int -> t
(** [create n] is a barrier for [n] parties. Raises [Invalid_argument] if [n < 1]. *)

val wait : t -> unit
(** [wait b] waits until as many as [b] has parties wait; then all of them go on, and the next round
    begins. Suspends or blocks. A wait that is cancelled does not count, or else returns. *)

val parties : t -> int
(** [parties b] is the number of parties. *)
