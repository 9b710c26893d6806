(** Sets of epochs that a strand does not know: see [Order]. *)

type t =
  | Nil
  | Interval of { first : int; behind : int; rest : t; jump : t; count : int }
      (** [first .. behind - 1], and [rest], all of which is lower, a part of which is [jump];
          [count] intervals. *)

val mem : int -> t -> bool
(** [mem epoch s] is whether [epoch] is in [s]. Work: logarithmic in the intervals. *)

val add : int -> int -> t -> t
(** [add first behind s] is [s] with [first .. behind - 1], which is above all of [s] but for a part
    of its highest interval. *)

val from : int -> t -> t
(** [from first s] is [s] with [first] and all that is above it. [first] is above all of [s], as
    {!add} has it. *)

val inter : t -> t -> t
(** [inter a b] is what is in both. *)

val bounded : t -> t
(** [bounded s] is [s]; where it has hundreds of intervals, without the lowest. Work: O(1),
    amortized. *)
