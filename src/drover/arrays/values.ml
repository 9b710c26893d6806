type 'a element = 'a
type 'a elements = 'a array

external get : 'a array -> int -> 'a = "%array_unsafe_get"
external set : 'a array -> int -> 'a -> unit = "%array_unsafe_set"

(* [Array.blit] is slower where the destination is old. *)
let blit src from dst at n =
  for i = 0 to n - 1 do
    set dst (at + i) (get src (from + i))
  done

type 'a order = { compare : 'a -> 'a -> int; errors : Error_group.t }

let[@inline] is_at_most order x y = order.compare x y <= 0
let[@inline] is_less order x y = order.compare x y < 0
let compares_fast = false
let short = 6
let grain = 512
let piece order f = Error_group.piece order.errors f
