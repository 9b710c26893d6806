(** Barriers, where a fixed number of tasks and threads wait for each other, round after round. *)

type t
(** The type for barriers. *)

val create : int -> t
(** [create n] is a barrier for [n] parties. Raises [Invalid_argument] if [n < 1]. *)

val wait : t -> unit
(** [wait b] suspends or blocks until as many callers wait as [b] has parties. Then all of them
    return, and the next round begins. A wait that is cancelled either does not count, or returns
    with its round. *)

val parties : t -> int
(** [parties b] is the number of parties of [b]. Never waits. *)
