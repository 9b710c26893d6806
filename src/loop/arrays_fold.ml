(* Arrays, reduced. *)

let fold f combine init a =
  let piece lo hi =
    let acc = ref (f (Array.unsafe_get a lo)) in
    for i = lo + 1 to hi do
      acc := combine !acc (f (Array.unsafe_get a i))
    done;
    !acc
  in
  Blocks.reduce (Blocks.divide (Array.length a)) ~init ~combine piece

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

(* Four sums side by side, so that an addition need not wait for the one before. *)

let ints_between (a : int array) lo hi =
  let s0 = ref 0 and s1 = ref 0 and s2 = ref 0 and s3 = ref 0 in
  let quads = (hi - lo + 1) / 4 in
  for q = 0 to quads - 1 do
    let i = lo + (4 * q) in
    s0 := !s0 + Array.unsafe_get a i;
    s1 := !s1 + Array.unsafe_get a (i + 1);
    s2 := !s2 + Array.unsafe_get a (i + 2);
    s3 := !s3 + Array.unsafe_get a (i + 3)
  done;
  for i = lo + (4 * quads) to hi do
    s0 := !s0 + Array.unsafe_get a i
  done;
  !s0 + !s1 + !s2 + !s3

let floats_between (a : float array) lo hi =
  let s0 = ref 0. and s1 = ref 0. and s2 = ref 0. and s3 = ref 0. in
  let quads = (hi - lo + 1) / 4 in
  for q = 0 to quads - 1 do
    let i = lo + (4 * q) in
    s0 := !s0 +. Array.unsafe_get a i;
    s1 := !s1 +. Array.unsafe_get a (i + 1);
    s2 := !s2 +. Array.unsafe_get a (i + 2);
    s3 := !s3 +. Array.unsafe_get a (i + 3)
  done;
  for i = lo + (4 * quads) to hi do
    s0 := !s0 +. Array.unsafe_get a i
  done;
  !s0 +. !s1 +. (!s2 +. !s3)

let sum_int a = sum_int_ranges (Array.length a) (ints_between a)
let sum_float a = sum_float_ranges (Array.length a) (floats_between a)
