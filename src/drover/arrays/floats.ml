type number = float
type numbers = float array

external length : numbers -> int = "%array_length"
external get : numbers -> int -> number = "%array_unsafe_get"
external set : numbers -> int -> number -> unit = "%array_unsafe_set"
external ( +: ) : number -> number -> number = "%addfloat"

let zero = 0.
let create = Array.create_float

(* Rounded, so they must not depend on [start]. *)
let[@inline] first_sum _start = zero
let[@inline] stored start x = start +: x
