type number = float
type numbers = floatarray
type 'a element = float
type 'a elements = floatarray

external length : numbers -> int = "%floatarray_length"
external get : numbers -> int -> number = "%floatarray_unsafe_get"
external set : numbers -> int -> number -> unit = "%floatarray_unsafe_set"
external ( +: ) : number -> number -> number = "%addfloat"

let zero = 0.
let create = Float.Array.create

(* Rounded, so they must not depend on [start]. *)
let[@inline] first_sum _start = zero
let[@inline] stored start x = start +: x
let blit = Float.Array.blit

type 'a order = unit

let[@inline] is_at_most () (x : float) y = x <= y
let[@inline] is_less () (x : float) y = x < y
let compares_fast = true
let short = 12
let grain = 4096
let[@inline] piece () f = f ()
