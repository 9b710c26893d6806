(* Float_arrays: arrays of unboxed floats. *)

module F = Float.Array

type t = F.t

let init n f =
  if n < 0 then invalid_arg "Drover.Float_array.init: negative length";
  let r = F.create n in
  Spread.over n (fun lo hi ->
      for i = lo to hi do
        F.unsafe_set r i (f i)
      done);
  r

let map f a = init (F.length a) (fun i -> f (F.unsafe_get a i))
let mapi f a = init (F.length a) (fun i -> f i (F.unsafe_get a i))

let map2 f a b =
  if F.length a <> F.length b then
    invalid_arg "Drover.Float_array.map2: arrays of different lengths";
  init (F.length a) (fun i -> f (F.unsafe_get a i) (F.unsafe_get b i))

let map_inplace f a =
  Spread.over (F.length a) (fun lo hi ->
      for i = lo to hi do
        F.unsafe_set a i (f (F.unsafe_get a i))
      done)

let iteri f a =
  Spread.over (F.length a) (fun lo hi ->
      for i = lo to hi do
        f i (F.unsafe_get a i)
      done)

let fold f combine init a =
  let piece lo hi =
    let acc = ref (f (F.unsafe_get a lo)) in
    for i = lo + 1 to hi do
      acc := combine !acc (f (F.unsafe_get a i))
    done;
    !acc
  in
  Blocks.reduce (Blocks.divide (F.length a)) ~init ~combine piece

(* Four sums side by side, so that an addition need not wait for the one before. *)
let sum_between a lo hi =
  let s0 = ref 0. and s1 = ref 0. and s2 = ref 0. and s3 = ref 0. in
  let quads = (hi - lo + 1) / 4 in
  for q = 0 to quads - 1 do
    let i = lo + (4 * q) in
    s0 := !s0 +. F.unsafe_get a i;
    s1 := !s1 +. F.unsafe_get a (i + 1);
    s2 := !s2 +. F.unsafe_get a (i + 2);
    s3 := !s3 +. F.unsafe_get a (i + 3)
  done;
  for i = lo + (4 * quads) to hi do
    s0 := !s0 +. F.unsafe_get a i
  done;
  !s0 +. !s1 +. (!s2 +. !s3)

let sum a = Arrays_fold.sum_float_ranges (F.length a) (sum_between a)

(* As [Scan_numbers.floats]. *)

let total a lo hi =
  let acc = ref 0. in
  let quads = (hi - lo + 1) / 4 in
  for q = 0 to quads - 1 do
    let i = lo + (4 * q) in
    let x1 = F.unsafe_get a i +. F.unsafe_get a (i + 1) in
    let x3 = F.unsafe_get a (i + 2) +. F.unsafe_get a (i + 3) in
    acc := !acc +. (x1 +. x3)
  done;
  for i = lo + (4 * quads) to hi do
    acc := !acc +. F.unsafe_get a i
  done;
  !acc

let scan_block a r start lo hi =
  let acc = ref 0. in
  let quads = (hi - lo + 1) / 4 in
  for q = 0 to quads - 1 do
    let i = lo + (4 * q) and before = !acc in
    let x0 = F.unsafe_get a i and x2 = F.unsafe_get a (i + 2) in
    let x1 = x0 +. F.unsafe_get a (i + 1) and x3 = x2 +. F.unsafe_get a (i + 3) in
    acc := before +. (x1 +. x3);
    F.unsafe_set r i (start +. (before +. x0));
    F.unsafe_set r (i + 1) (start +. (before +. x1));
    F.unsafe_set r (i + 2) (start +. (before +. (x1 +. x2)));
    F.unsafe_set r (i + 3) (start +. !acc)
  done;
  for i = lo + (4 * quads) to hi do
    acc := !acc +. F.unsafe_get a i;
    F.unsafe_set r i (start +. !acc)
  done;
  start +. !acc

let scan a =
  let n = F.length a in
  let r = F.create n in
  Arrays_scan.by_blocks n ~zero:0. ~add:( +. ) ~total:(total a) ~scan:(scan_block a) r;
  r

let sort = Numbers.sort_floatarray
