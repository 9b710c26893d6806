(* Arrays of values that were made just now. Before OCaml makes an array of more than 256 of them it
   makes a minor collection, but not before it puts arrays together. Kernel: priority-queue. *)

let longest = 256

(* From here on, a loop in parallel is worth a minor collection. *)
let long = 8192

(* [f] of the elements of [a], where it gives something. *)
let filter_map f a =
  let n = Array.length a in
  let piece i =
    let first = i * longest in
    let items = Array.sub a first (Int.min longest (n - first)) in
    Array.of_list (List.filter_map f (Array.to_list items))
  in
  if n <= longest then piece 0
  else if n < long then Array.concat (List.init ((n + longest - 1) / longest) piece)
  else Drover.Array.filter_map f a

let filter holds a = filter_map (fun x -> if holds x then Some x else None) a
