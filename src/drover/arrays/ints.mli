(** Arrays of ints. *)

include Element.Number with type number = int and type numbers = int array

include
  Element.Ordered
    with type 'a element = int
     and type 'a elements = int array
     and type 'a order = unit

(** Instructions, where they are called. *)

external length : numbers -> int = "%array_length"
external get : numbers -> int -> number = "%array_unsafe_get"
external set : numbers -> int -> number -> unit = "%array_unsafe_set"
external ( +: ) : number -> number -> number = "%addint"
