(** What the texts [sums.ml.in] and [sort.ml.in] need of arrays. Each is compiled once for each kind
    of array, with that kind's own primitives, because a functor would call a function for each
    access and box each float. Accesses are not checked. *)

(** Numbers that can be added. *)
module type Number = sig
  type number
  type numbers

  val length : numbers -> int
  val get : numbers -> int -> number
  val set : numbers -> int -> number -> unit
  val create : int -> numbers
  val ( +: ) : number -> number -> number
  val zero : number

  val first_sum : number -> number
  (** [first_sum start] is where the sums of a block begin that comes after [start]: that is a part
      of the sums only where additions are exact. *)

  val stored : number -> number -> number
  (** [stored start x] is what is stored for the sum [x] of such a block. *)
end

(** Elements that can be sorted. *)
module type Ordered = sig
  type 'a element
  type 'a elements

  val get : 'a elements -> int -> 'a element
  val set : 'a elements -> int -> 'a element -> unit
  val blit : 'a elements -> int -> 'a elements -> int -> int -> unit

  type 'a order
  (** The type for how they compare. *)

  val is_at_most : 'a order -> 'a element -> 'a element -> bool
  val is_less : 'a order -> 'a element -> 'a element -> bool

  val compares_fast : bool
  (** [compares_fast] is whether more comparisons cost less than one that cannot be predicted. *)

  val short : int
  (** [short] is how many are sorted at once. *)

  val grain : int
  (** [grain] is beyond how many they are sorted in parallel. *)

  val piece : 'a order -> (unit -> 'b) -> 'b
  (** [piece order f] is [f ()], a piece of the work, in parallel with others. *)
end
