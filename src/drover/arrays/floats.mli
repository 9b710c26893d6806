(** Arrays of floats. *)

include Element.Number with type number = float and type numbers = float array

(** Instructions, where they are called. *)

external length : numbers -> int = "%array_length"
external get : numbers -> int -> number = "%array_unsafe_get"
external set : numbers -> int -> number -> unit = "%array_unsafe_set"
external ( +: ) : number -> number -> number = "%addfloat"
