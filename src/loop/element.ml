(* Element: what the texts [sums.ml.in] and [sort.ml.in] need of arrays. Each is compiled once for
   each kind of array, with that kind's own primitives, because a functor would call a function for
   each access and box each float. *)

(* Numbers that can be added. *)
module type Number = sig
  type number
  type numbers

  val length : numbers -> int
  val get : numbers -> int -> number
  val set : numbers -> int -> number -> unit
  val create : int -> numbers
  val ( +: ) : number -> number -> number
  val zero : number

  (* Where the sums of a block that comes after [start] begin, and what is stored for the sum [x]:
     [start] is a part of the sums only where additions are exact. *)

  val first_sum : number -> number
  val stored : number -> number -> number
end

(* Elements that can be sorted. *)
module type Ordered = sig
  type 'a element
  type 'a elements

  val get : 'a elements -> int -> 'a element
  val set : 'a elements -> int -> 'a element -> unit
  val blit : 'a elements -> int -> 'a elements -> int -> int -> unit

  (* How they compare. *)
  type 'a order

  val is_at_most : 'a order -> 'a element -> 'a element -> bool
  val is_less : 'a order -> 'a element -> 'a element -> bool

  (* Whether more comparisons cost less than one that cannot be predicted. *)
  val compares_fast : bool

  (* Up to so many are sorted at once. *)
  val short : int

  (* More than so many in parallel. *)
  val grain : int

  (* A piece of the work, in parallel with others. *)
  val piece : 'a order -> (unit -> 'b) -> 'b
end
