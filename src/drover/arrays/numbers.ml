let sort_ints a =
  Point.pass ();
  let n = Array.length a in
  let scratch = Array.make n 0 in
  if n <= Ints.grain then Sort_ints.sort_serially () a scratch a 0 n
  else Pool.inside (fun () -> Sort_ints.sort () a scratch a 0 n)

let count_nans a =
  let n = Float.Array.length a in
  Arrays_fold.sum_ranges n ~zero:0 ~add:( + ) (fun lo hi ->
      let count = ref 0 in
      for i = lo to hi do
        let x = Float.Array.unsafe_get a i in
        count := !count + Bool.to_int (x <> x)
      done;
      !count)

(* Each nan equals the others and is less than every number: they go to the front, in order. *)
let nans_first a nans =
  let nan_at = ref 0 and number_at = ref nans in
  Float.Array.iter
    (fun x ->
      let at = if Float.is_nan x then nan_at else number_at in
      Float.Array.set a !at x;
      incr at)
    (Float.Array.copy a)

let sort_floatarray a =
  Point.pass ();
  let n = Float.Array.length a in
  if n > 1 then begin
    let nans = count_nans a in
    if nans > 0 then nans_first a nans;
    let scratch = Float.Array.create n in
    if n <= Unboxed_floats.grain then Sort_floats.sort_serially () a scratch a nans n
    else Pool.inside (fun () -> Sort_floats.sort () a scratch a nans n)
  end

let sort_floats (a : float array) =
  let n = Array.length a in
  let unboxed = Float.Array.create n in
  Spread.light n (fun lo hi ->
      for i = lo to hi do
        Float.Array.unsafe_set unboxed i (Array.unsafe_get a i)
      done);
  sort_floatarray unboxed;
  Spread.light n (fun lo hi ->
      for i = lo to hi do
        Array.unsafe_set a i (Float.Array.unsafe_get unboxed i)
      done)
