(* Loops nest: the rows run in parallel, and so may what a row does. *)

let multiply a b =
  let n = Array.length a and m = Array.length b.(0) in
  let c = Array.make_matrix n m 0. in
  Drover.parallel_for ~start:0 ~finish:(n - 1) (fun i ->
      for k = 0 to Array.length b - 1 do
        let a_ik = a.(i).(k) in
        for j = 0 to m - 1 do
          c.(i).(j) <- c.(i).(j) +. (a_ik *. b.(k).(j))
        done
      done);
  c

let () =
  let n = 64 in
  let a =
    Array.init n (fun i -> Array.init n (fun j -> float_of_int (i + j)))
  in
  let unit =
    Array.init n (fun i -> Array.init n (fun j -> if i = j then 1. else 0.))
  in
  print_endline
    (if multiply a unit = a then "a times one is a" else "wrong")
