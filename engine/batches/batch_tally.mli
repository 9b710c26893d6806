(** What a batched object has done. Its server writes, one at a time; nothing here waits. *)

type t = private {
  timed : bool;  (** whether batches are *)
  mutable operations : int;
  sizes : int array;  (** batches of 2{^ i} .. 2{^ i+1} - 1 operations *)
  mutable waiting : float;  (** seconds *)
  mutable running : float;
}
(** The type for tallies. Any thread may read one; its numbers may be of different moments. *)

val create : timed:bool -> t
(** [create ~timed] is empty. To read a clock costs more than a short batch, so it is read only if
    [timed]. *)

val now : t -> float
(** [now t] is the time of the [Clock], or 0 where nothing is timed. *)

val begins : t -> int -> unit
(** [begins t n]: a batch of [n] operations begins. *)

val timed : t -> (unit -> 'a) -> 'a
(** [timed t f] is [f ()], which runs a batch, and counts the time that it takes. *)

val waited : t -> ('a -> float) -> 'a array -> unit
(** [waited t since entries]: these operations, each queued [since] then, are taken for a batch. *)
