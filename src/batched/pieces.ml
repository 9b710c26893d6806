(* Intervals of a sorted array, dealt with in parallel, such that what belongs together is in
   one. *)

(* The sum of [body first last] over intervals of [0..n-1]; [together i] tells whether [i - 1] and
   [i] must be in the same. *)
let sum n ~together body =
  let rec start i stop = if i < stop && i > 0 && together i then start (i + 1) stop else i in
  Drover.parallel_reduce_range ~start:0 ~finish:(n - 1) ~init:0 ~combine:( + ) (fun lo hi ->
      (* Where nothing starts, nobody looks for its end. So each is looked at twice at most. *)
      let first = start lo (hi + 1) in
      if first <= hi then body first (start (hi + 1) n - 1) else 0)

let iter n ~together body =
  ignore
    (sum n ~together (fun first last ->
         body first last;
         0))
