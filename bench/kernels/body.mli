(** Bodies in space: the systems that {!Nbody} moves. *)

type t = {
  mutable x : float;
  mutable y : float;
  mutable z : float;
  mutable vx : float;
  mutable vy : float;
  mutable vz : float;
  mass : float;
}
(** The type for bodies: a flat block of floats. *)

val planets : unit -> t array
(** [planets ()] is the Sun, Jupiter, Saturn, Uranus and Neptune, at rest as a whole; astronomical
    units, years, and masses in which the constant of gravitation is one (the benchmarks game). *)

val random : int -> t array
(** [random n] is [n] bodies that are the same in every call. *)

val energy : t array -> float
(** [energy bodies] is the kinetic and potential energy of the system. *)

val close : expected:t array -> t array -> (unit, string) result
(** [close ~expected bodies] is an error unless all positions agree to about eight digits: versions
    sum in different orders. *)
