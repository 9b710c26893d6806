(* Arrays, element by element.

   A result's array is made with the first element that is computed, and is as polymorphic as that
   tells: No array --first element--> Array of n, once. The other elements are stored as they
   come. *)

let rec made result n x =
  let r = Atomic.get result in
  if Array.length r > 0 then r
  else
    let fresh = Array.make n x in
    if Atomic.compare_and_set result r fresh then fresh else made result n x

let make_by n f =
  if n <= 1 then Array.init n f
  else begin
    let result = Atomic.make [||] in
    Spread.over n (fun lo hi ->
        let x = f lo in
        let r = made result n x in
        Array.unsafe_set r lo x;
        for i = lo + 1 to hi do
          Array.unsafe_set r i (f i)
        done);
    Atomic.get result
  end

let init n f = if n < 0 then invalid_arg "Drover.Array.init: negative length" else make_by n f
let map f a = make_by (Array.length a) (fun i -> f (Array.unsafe_get a i))
let mapi f a = make_by (Array.length a) (fun i -> f i (Array.unsafe_get a i))

let same_length caller a b =
  if Array.length a <> Array.length b then
    invalid_arg ("Drover.Array." ^ caller ^ ": arrays of different lengths")

let map2 f a b =
  same_length "map2" a b;
  make_by (Array.length a) (fun i -> f (Array.unsafe_get a i) (Array.unsafe_get b i))

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

let map_inplace f a =
  Spread.over (Array.length a) (fun lo hi ->
      for i = lo to hi do
        Array.unsafe_set a i (f (Array.unsafe_get a i))
      done)
