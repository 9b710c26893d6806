(* A result's array is made with the first element that is computed, and is as polymorphic as that
   tells: No array --first element--> Array of n, once. The other elements are stored as they
   come. *)

let rec made result n x =
  let r = Atomic.get result in
  if Array.length r > 0 then r
  else
    let fresh = Array.make n x in
    if Atomic.compare_and_set result r fresh then fresh else made result n x

(* [fill r lo hi] stores these elements; it has a loop of its own, so that an element costs one call
   of the user's function. Where there are many, an array too many costs more than to compute the first
   element alone: two workers may begin at the same time. Kernel: map. *)
let make_by n first fill =
  if n <= 1 then Array.init n first
  else if n >= 16_384 then begin
    let r = Array.make n (first 0) in
    Spread.over (n - 1) (fun lo hi -> fill r (lo + 1) (hi + 1));
    r
  end
  else begin
    let result = Atomic.make [||] in
    Spread.over n (fun lo hi ->
        match Atomic.get result with
        | [||] ->
            let x = first lo in
            let r = made result n x in
            Array.unsafe_set r lo x;
            fill r (lo + 1) hi
        | r -> fill r lo hi);
    Atomic.get result
  end

let init n f =
  if n < 0 then invalid_arg "Drover.Array.init: negative length";
  if n > Sys.max_array_length then invalid_arg "Drover.Array.init: the length is too large";
  make_by n f (fun r lo hi ->
      for i = lo to hi do
        Array.unsafe_set r i (f i)
      done)

let map_between f a r lo hi =
  for i = lo to hi do
    Array.unsafe_set r i (f (Array.unsafe_get a i))
  done

let map f a =
  make_by (Array.length a)
    (fun i -> f (Array.unsafe_get a i))
    (fun r lo hi -> map_between f a r lo hi)

let mapi f a =
  make_by (Array.length a)
    (fun i -> f i (Array.unsafe_get a i))
    (fun r lo hi ->
      for i = lo to hi do
        Array.unsafe_set r i (f i (Array.unsafe_get a i))
      done)

let same_length caller a b =
  if Array.length a <> Array.length b then
    invalid_arg ("Drover.Array." ^ caller ^ ": arrays of different lengths")

let map2 f a b =
  same_length "map2" a b;
  let at i = f (Array.unsafe_get a i) (Array.unsafe_get b i) in
  make_by (Array.length a) at (fun r lo hi ->
      for i = lo to hi do
        Array.unsafe_set r i (at i)
      done)

let iteri f a =
  Spread.over (Array.length a) (fun lo hi ->
      for i = lo to hi do
        f i (Array.unsafe_get a i)
      done)

let iter f a =
  Spread.over (Array.length a) (fun lo hi ->
      for i = lo to hi do
        f (Array.unsafe_get a i)
      done)

let map_inplace f a = Spread.over (Array.length a) (fun lo hi -> map_between f a a lo hi)
