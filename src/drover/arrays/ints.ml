type number = int
type numbers = int array
type 'a element = int
type 'a elements = int array

external length : numbers -> int = "%array_length"
external get : numbers -> int -> number = "%array_unsafe_get"
external set : numbers -> int -> number -> unit = "%array_unsafe_set"
external ( +: ) : number -> number -> number = "%addint"

let zero = 0
let create n = Array.make n zero

(* Exact. *)
let[@inline] first_sum start = start
let[@inline] stored _start x = x

(* [Array.blit] would go through the write barrier. *)
let blit src from dst at n =
  for i = 0 to n - 1 do
    set dst (at + i) (get src (from + i))
  done

type 'a order = unit

let[@inline] is_at_most () (x : int) y = x <= y
let[@inline] is_less () (x : int) y = x < y
let compares_fast = true
let short = 12
let grain = 4096
let[@inline] piece () f = f ()
