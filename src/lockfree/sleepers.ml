(* A bit for each worker, in as many words as the pool needs: nothing is allocated, and who wakes a
   sleeper reads one line of the cache, or two in a pool of more than 62. The lowest bit is chosen: so where
   few are needed, the same few sleep shortly, and have warm caches. *)

(* To read an array of just anything is a safepoint, as it may be one of floats; not so a field. *)
type word = { set : int Atomic.t }
type t = word array

let bits = 62
let create size = Array.init (1 + (size / bits)) (fun _ -> { set = Atomic.make_contended 0 })
let[@inline] set (s : t) i = (Array.unsafe_get s (i / bits)).set
let[@inline] bit i = 1 lsl (i mod bits)
let rec are_none s k = k = Array.length s || (Atomic.get s.(k).set = 0 && are_none s (k + 1))
let is_empty s = are_none s 0
let rec ones n set = if set = 0 then n else ones (n + 1) (set land (set - 1))
let length s = Array.fold_left (fun n { set } -> ones n (Atomic.get set)) 0 s

(* Comes before the worker's second look for work; pairs with the read in [first], which comes after
   the work was added. The bit is not set, so it is added. *)
let[@inline] announce s i = ignore (Atomic.fetch_and_add (set s i) (bit i) : int)
let nobody = -1
let rec lowest i set = if set land 1 = 1 then i else lowest (i + 1) (set lsr 1)

let rec first_from s k =
  if k = Array.length s then nobody
  else match Atomic.get s.(k).set with 0 -> first_from s (k + 1) | set -> lowest (k * bits) set

let first s = first_from s 0

type removal = Removed | Gone | Disturbed

let[@inline] try_to_remove s i =
  let set = set s i and bit = bit i in
  let before = Atomic.get set in
  if before land bit = 0 then Gone
  else if Atomic.compare_and_set set before (before - bit) then Removed
  else Disturbed

let rec remove s i =
  match try_to_remove s i with Removed -> true | Gone -> false | Disturbed -> remove s i
