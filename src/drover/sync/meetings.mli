(** Where tasks and threads meet: latches and barriers. *)

module Latch : sig
  (** Latches: gates that open when a count reaches zero. *)

  type t
  (** The type for latches. *)

  val create : int -> t
  (** [create n] is a latch with the count [n], open if [n] is 0. Raises [Invalid_argument] if
      [n < 0]. *)

  val count_down : t -> unit
  (** [count_down l] lowers the count by one, and opens [l] if that makes it zero. From any task or
      thread. Never waits. Raises [Invalid_argument] if [l] is open. *)

  val wait : t -> unit
  (** [wait l] suspends or blocks until [l] is open. *)

  val left : t -> int
  (** [left l] is the count at some moment of the call. Never waits. *)
end

module Barrier : sig
  (** Barriers, where a fixed number of tasks and threads wait for each other, round after round. *)

  type t
  (** The type for barriers. *)

  val create : int -> t
  (** [create n] is a barrier for [n] parties. Raises [Invalid_argument] if [n < 1]. *)

  val wait : t -> unit
  (** [wait b] suspends or blocks until as many callers wait as [b] has parties. Then all of them
      return, and the next round begins. A wait that is cancelled either does not count, or returns
      with its round. *)
end
