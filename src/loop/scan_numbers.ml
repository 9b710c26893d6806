(* Scan_numbers: [Arrays_scan] for sums of ints and of floats, without a call or a box per
   element. *)

let scan_ints (a : int array) =
  let n = Array.length a in
  let r = Array.make n 0 in
  let rest start lo hi =
    let acc = ref start in
    for i = lo to hi do
      acc := !acc + Array.unsafe_get a i;
      Array.unsafe_set r i !acc
    done
  in
  let sum lo hi =
    let acc = ref 0 in
    for i = lo to hi do
      acc := !acc + Array.unsafe_get a i
    done;
    !acc
  in
  Arrays_scan.by_blocks n ~zero:0 ~add:( + ) ~sum ~rest;
  r

let scan_floats (a : float array) =
  let n = Array.length a in
  let r = Array.create_float n in
  let rest start lo hi =
    let acc = ref start in
    for i = lo to hi do
      acc := !acc +. Array.unsafe_get a i;
      Array.unsafe_set r i !acc
    done
  in
  let sum lo hi =
    let acc = ref 0. in
    for i = lo to hi do
      acc := !acc +. Array.unsafe_get a i
    done;
    !acc
  in
  Arrays_scan.by_blocks n ~zero:0. ~add:( +. ) ~sum ~rest;
  r
