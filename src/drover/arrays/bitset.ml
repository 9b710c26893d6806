(* Bitset: marks that many set at a time, 32 in a word. A mark is set by one compare-and-set. *)

type t = { length : int; words : int Atomic.t array }

let places = 32
let word i = i / places
let[@inline] bit i = 1 lsl (i land (places - 1))

let create length =
  if length < 0 then invalid_arg "Drover.Bitset.create: the length is negative";
  let words = (length / places) + Bool.to_int (length mod places > 0) in
  if words > Sys.max_array_length then invalid_arg "Drover.Bitset.create: the length is too large";
  { length; words = Array.init words (fun _ -> Atomic.make 0) }

let length s = s.length

let[@inline] at s i caller =
  if i < 0 || i >= s.length then invalid_arg ("Drover.Bitset." ^ caller ^ ": out of bounds");
  Array.unsafe_get s.words (word i)

let mem s i = Atomic.get (at s i "mem") land bit i <> 0

let rec set word bit =
  let before = Atomic.get word in
  before land bit = 0 && (Atomic.compare_and_set word before (before lor bit) || set word bit)

let rec unset word bit =
  let before = Atomic.get word in
  before land bit <> 0 && (Atomic.compare_and_set word before (before lxor bit) || unset word bit)

let add s i = set (at s i "add") (bit i)
let remove s i = unset (at s i "remove") (bit i)
let clear s = Arrays_map.iter (fun word -> Atomic.set word 0) s.words
let rec ones x = if x = 0 then 0 else 1 + ones (x land (x - 1))

let cardinal s =
  Arrays_fold.reduce ~init:0 ~combine:( + ) (fun word -> ones (Atomic.get word)) s.words

let to_array s =
  Collect.over (Array.length s.words) (fun b lo hi ->
      for w = lo to hi do
        let all = Atomic.get s.words.(w) in
        for i = 0 to places - 1 do
          if all land bit i <> 0 then Collect.push b ((w * places) + i)
        done
      done)
