(** Arrays of unboxed floats; nan is none of their elements where they are ordered. *)

include Element.Number with type number = float and type numbers = floatarray

include
  Element.Ordered
    with type 'a element = float
     and type 'a elements = floatarray
     and type 'a order = unit

(** Instructions, where they are called. *)

external length : numbers -> int = "%floatarray_length"
external get : numbers -> int -> number = "%floatarray_unsafe_get"
external set : numbers -> int -> number -> unit = "%floatarray_unsafe_set"
external ( +: ) : number -> number -> number = "%addfloat"
