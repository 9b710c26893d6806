(* Scan_numbers: [Arrays_scan] for sums of ints and of floats, without a call or a box per element. *)

let scan_block (a : int array) (r : int array) start lo hi =
  let acc = ref start in
  for i = lo to hi do
    acc := !acc + Array.unsafe_get a i;
    Array.unsafe_set r i !acc
  done;
  !acc

let ints a r =
  let total = Arrays_fold.ints_between a and scan = scan_block a in
  Arrays_scan.by_blocks (Array.length a) ~zero:0 ~add:( + ) ~total ~scan r

(* Four elements at a time: of their additions only one waits for the four before. A block's own sums
   are added to what it starts from, so that its total does not depend on that. *)

let total (a : float array) lo hi =
  let acc = ref 0. in
  let quads = (hi - lo + 1) / 4 in
  for q = 0 to quads - 1 do
    let i = lo + (4 * q) in
    let x1 = Array.unsafe_get a i +. Array.unsafe_get a (i + 1) in
    let x3 = Array.unsafe_get a (i + 2) +. Array.unsafe_get a (i + 3) in
    acc := !acc +. (x1 +. x3)
  done;
  for i = lo + (4 * quads) to hi do
    acc := !acc +. Array.unsafe_get a i
  done;
  !acc

let floats (a : float array) r =
  let scan (r : float array) start lo hi =
    let acc = ref 0. in
    let quads = (hi - lo + 1) / 4 in
    for q = 0 to quads - 1 do
      let i = lo + (4 * q) and before = !acc in
      let x0 = Array.unsafe_get a i and x2 = Array.unsafe_get a (i + 2) in
      let x1 = x0 +. Array.unsafe_get a (i + 1) and x3 = x2 +. Array.unsafe_get a (i + 3) in
      acc := before +. (x1 +. x3);
      Array.unsafe_set r i (start +. (before +. x0));
      Array.unsafe_set r (i + 1) (start +. (before +. x1));
      Array.unsafe_set r (i + 2) (start +. (before +. (x1 +. x2)));
      Array.unsafe_set r (i + 3) (start +. !acc)
    done;
    for i = lo + (4 * quads) to hi do
      acc := !acc +. Array.unsafe_get a i;
      Array.unsafe_set r i (start +. !acc)
    done;
    start +. !acc
  in
  Arrays_scan.by_blocks (Array.length a) ~zero:0. ~add:( +. ) ~total:(total a) ~scan r

let into scan r =
  scan r;
  r

let scan_ints a = into (ints a) (Array.make (Array.length a) 0)
let scan_floats a = into (floats a) (Array.create_float (Array.length a))
let scan_ints_inplace a = ints a a
let scan_floats_inplace a = floats a a
