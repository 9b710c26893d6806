let fold f combine init a =
  let piece lo hi =
    let acc = ref (f (Array.unsafe_get a lo)) in
    for i = lo + 1 to hi do
      acc := combine !acc (f (Array.unsafe_get a i))
    done;
    !acc
  in
  Blocks.reduce (Blocks.divide (Array.length a)) ~init ~combine piece

let fold_with ~init ~merge step a =
  Fold.over (Array.length a) ~init ~merge (fun acc lo hi ->
      let acc = ref acc in
      for i = lo to hi do
        acc := step !acc (Array.unsafe_get a i)
      done;
      !acc)

let count f a =
  let piece lo hi =
    let n = ref 0 in
    for i = lo to hi do
      n := !n + Bool.to_int (f (Array.unsafe_get a i))
    done;
    !n
  in
  Blocks.reduce (Blocks.divide (Array.length a)) ~init:0 ~combine:( + ) piece

(* The first of equal elements is the smaller and the larger one. *)
let min_max cmp a =
  let smaller x y = if cmp y x < 0 then y else x in
  let larger x y = if cmp y x > 0 then y else x in
  let piece lo hi =
    let least = ref (Array.unsafe_get a lo) and most = ref (Array.unsafe_get a lo) in
    for i = lo + 1 to hi do
      let x = Array.unsafe_get a i in
      least := smaller !least x;
      most := larger !most x
    done;
    Some (!least, !most)
  in
  let combine p q =
    match (p, q) with
    | Some (a, b), Some (c, d) -> Some (smaller a c, larger b d)
    | None, r | r, None -> r
  in
  Blocks.reduce (Blocks.divide (Array.length a)) ~init:None ~combine piece

let sum_ranges n piece ~zero ~add =
  if n <= 0 then zero
  else if n <= Blocks.light then piece 0 (n - 1)
  else Blocks.reduce (Blocks.divide ~least:Blocks.light n) ~init:zero ~combine:add piece

let sum_int_ranges n piece = sum_ranges n piece ~zero:0 ~add:( + )
let sum_float_ranges n piece = sum_ranges n piece ~zero:0. ~add:( +. )
