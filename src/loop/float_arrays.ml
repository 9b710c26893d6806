(* Float_arrays: arrays of unboxed floats. *)

module F = Float.Array

type t = F.t

let init n f =
  if n < 0 then invalid_arg "Drover.Float_array.init: negative length";
  if n > Sys.max_floatarray_length then
    invalid_arg "Drover.Float_array.init: the length is too large";
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

let sum = Sums_of_floatarrays.sum
let scan = Sums_of_floatarrays.scan
let sort = Numbers.sort_floatarray
