(* Parts of batches: arrays that refer to what was made just now; see [Young]. Probe:
   batch-lengths. *)

(* From here on, a loop in parallel is worth a minor collection. *)
let long = 8192
let map f a = if Array.length a < long then Young.map f a else Drover.Array.map f a

(* [f] of the elements of [a], where it gives something. *)
let filter_map f a =
  let piece first n = Array.of_list (List.filter_map f (Array.to_list (Array.sub a first n))) in
  let n = Array.length a in
  if n < long then Young.of_pieces n piece else Drover.Array.filter_map f a

let filter holds a = filter_map (fun x -> if holds x then Some x else None) a
