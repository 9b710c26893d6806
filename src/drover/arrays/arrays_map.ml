(* A result's array is made with the first element that is computed, and is as polymorphic as that
   tells. [fill r lo hi] stores elements; it has a loop of its own, so that an element costs one call of
   the user's function. *)

(* With 0, by the caller. *)
let begun n first fill r lo hi =
  if lo > 0 then begin
    fill r lo hi;
    r
  end
  else begin
    let r = Array.make n (first 0) in
    if hi > 0 then fill r 1 hi;
    r
  end

let rec made result n x =
  let r = Atomic.get result in
  if Array.length r > 0 then r
  else
    let fresh = Array.make n x in
    if Atomic.compare_and_set result r fresh then fresh else made result n x

(* Elsewhere, while 0 takes long, with the first that is. *)
let begun_elsewhere n first fill from =
  let result = Atomic.make [||] in
  let body lo hi =
    match Atomic.get result with
    | [||] ->
        let x = first lo in
        let r = made result n x in
        Array.unsafe_set r lo x;
        fill r (lo + 1) hi
    | r -> fill r lo hi
  in
  Spread.rest body ~from n;
  Atomic.get result

(* Where there are many, an array too many costs more than to compute the first element alone. Kernel:
   map. *)
let make_by n first fill =
  if n <= 1 then begin
    Point.pass ();
    Array.init n first
  end
  else if n >= 16_384 then begin
    let r = Array.make n (first 0) in
    Spread.over (n - 1) (fun lo hi -> fill r (lo + 1) (hi + 1));
    r
  end
  else
    let rest from r =
      if from >= n then (n, r)
      else if r == [||] then (from, begun_elsewhere n first fill from)
      else begin
        Spread.rest (fill r) ~from n;
        (n, r)
      end
    in
    let r, (from, behind) = Spread.split n [||] (fun r lo hi -> begun n first fill r lo hi) rest in
    if from = 0 then behind
    else begin
      if from < n then Array.blit behind from r from (n - from);
      r
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
  make_by (Array.length a)
    (fun i -> f (Array.unsafe_get a i) (Array.unsafe_get b i))
    (fun r lo hi ->
      for i = lo to hi do
        Array.unsafe_set r i (f (Array.unsafe_get a i) (Array.unsafe_get b i))
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
