(* Scan_numbers: [Arrays_scan] for sums of ints and of floats, without a call or a box per
   element. *)

let scan_ints (a : int array) =
  let n = Array.length a in
  let make () = Array.make n 0 in
  let rest (r : int array) start lo hi =
    let acc = ref start in
    for i = lo to hi do
      acc := !acc + Array.unsafe_get a i;
      Array.unsafe_set r i !acc
    done
  in
  Arrays_scan.by_blocks n ~zero:0 ~add:( + ) ~make ~sum:(Arrays_fold.ints_between a) ~rest

(* Four at a time: of their additions only one waits for the four before. *)
let scan_floats (a : float array) =
  let n = Array.length a in
  let make () = Array.create_float n in
  let rest (r : float array) start lo hi =
    let acc = ref start in
    let quads = (hi - lo + 1) / 4 in
    for q = 0 to quads - 1 do
      let i = lo + (4 * q) and before = !acc in
      let x0 = Array.unsafe_get a i and x2 = Array.unsafe_get a (i + 2) in
      let x1 = x0 +. Array.unsafe_get a (i + 1) and x3 = x2 +. Array.unsafe_get a (i + 3) in
      Array.unsafe_set r i (before +. x0);
      Array.unsafe_set r (i + 1) (before +. x1);
      Array.unsafe_set r (i + 2) (before +. (x1 +. x2));
      acc := before +. (x1 +. x3);
      Array.unsafe_set r (i + 3) !acc
    done;
    for i = lo + (4 * quads) to hi do
      acc := !acc +. Array.unsafe_get a i;
      Array.unsafe_set r i !acc
    done
  in
  Arrays_scan.by_blocks n ~zero:0. ~add:( +. ) ~make ~sum:(Arrays_fold.floats_between a) ~rest
