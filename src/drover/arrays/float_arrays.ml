(* Float_arrays: arrays of unboxed floats. *)

module F = Float.Array

type t = F.t

(* [fill r lo hi] stores these elements. *)
let make n fill =
  let r = F.create n in
  Spread.over n (fun lo hi -> fill r lo hi);
  r

let init n f =
  if n < 0 then invalid_arg "Drover.Float_array.init: negative length";
  if n > Sys.max_floatarray_length then
    invalid_arg "Drover.Float_array.init: the length is too large";
  make n (fun r lo hi ->
      for i = lo to hi do
        F.unsafe_set r i (f i)
      done)

let map_between f a r lo hi =
  for i = lo to hi do
    F.unsafe_set r i (f (F.unsafe_get a i))
  done

let map f a = make (F.length a) (fun r lo hi -> map_between f a r lo hi)

let mapi f a =
  make (F.length a) (fun r lo hi ->
      for i = lo to hi do
        F.unsafe_set r i (f i (F.unsafe_get a i))
      done)

let map2 f a b =
  if F.length a <> F.length b then
    invalid_arg "Drover.Float_array.map2: arrays of different lengths";
  make (F.length a) (fun r lo hi ->
      for i = lo to hi do
        F.unsafe_set r i (f (F.unsafe_get a i) (F.unsafe_get b i))
      done)

let map_inplace f a = Spread.over (F.length a) (fun lo hi -> map_between f a a lo hi)

let iteri f a =
  Spread.over (F.length a) (fun lo hi ->
      for i = lo to hi do
        f i (F.unsafe_get a i)
      done)

let[@inline] folded f combine a lo hi =
  let acc = ref (f (F.unsafe_get a lo)) in
  for i = lo + 1 to hi do
    acc := combine !acc (f (F.unsafe_get a i))
  done;
  !acc

let fold_blocks (b : Blocks.t) f combine a acc first last =
  let acc = ref acc in
  if b.size = 1 then
    for i = first to last do
      acc := combine !acc (f (F.unsafe_get a i))
    done
  else
    for block = first to last do
      acc := combine !acc (folded f combine a (Blocks.lo b block) (Blocks.hi b block))
    done;
  !acc

let reduce ~init ~combine f a =
  let b = Blocks.divide (F.length a) in
  Blocks.reduce_by b ~init ~combine
    ~add:(fun acc first last -> fold_blocks b f combine a acc first last)
    (fun lo hi -> folded f combine a lo hi)

let sum = Sums_of_floatarrays.sum
let scan = Sums_of_floatarrays.scan
let sort = Numbers.sort_floatarray
