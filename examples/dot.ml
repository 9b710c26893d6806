(* A sum of floats. The inner loop is an ordinary one over a piece of the arrays, so no float is
   boxed. *)

let dot a b =
  let piece lo hi =
    let sum = ref 0. in
    for i = lo to hi do
      sum := !sum +. (a.(i) *. b.(i))
    done;
    !sum
  in
  let finish = Array.length a - 1 in
  Drover.parallel_reduce_range ~start:0 ~finish ~init:0. ~combine:( +. )
    piece

let () =
  let ones = Array.make 100_000 1. and twos = Array.make 100_000 2. in
  Printf.printf "%.1f\n" (dot ones twos)
