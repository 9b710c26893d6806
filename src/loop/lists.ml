(* Lists.

   The caller goes through the list, and what it has not begun is a fork, as in [Spread]; where that begins,
   the rest is brought into an array. That, and the way back, takes some ten nanoseconds an element: so the
   rest of a list with cheap elements is gone through in the same way. *)

(* How many elements are claimed at a time, at most; and from so many on, whether they are cheap is seen by
   the clock. *)
let most = 256

(* The caller's way through a list. *)
type 'r walk = {
  front : 'r Spread.front;
  none : 'r; (* what no elements come to *)
  mutable claimed : int; (* elements *)
  most : int; (* of those that are claimed at a time *)
  mutable has_left : bool; (* what is left, to others *)
  mutable looked_at : float; (* when the latest of many were done *)
  is_cheap : bool ref; (* these *)
}

(* In seconds, for one: below that an array does not pay. *)
let cheap = 3e-8

let look w =
  let now = Unix.gettimeofday () in
  if w.looked_at > 0. then w.is_cheap := now -. w.looked_at < cheap *. float most;
  w.looked_at <- now

(* Claims the next elements, and is how many. *)
let claim w =
  let from = w.claimed in
  let size = Int.min w.most (7 * from) in
  if from > most then look w;
  if Spread.claim w.front ~from (from + size) w.none then begin
    w.claimed <- from + size;
    size
  end
  else begin
    w.has_left <- true;
    0
  end

let rec drop n l = match l with _ :: rest when n > 0 -> drop (n - 1) rest | l -> l

(* [through w i left l] goes through [left] elements of [l], which begins with the element [i], and then
   what [w] can claim, and [by_array i a] is the same for all of an array. *)
let rec split i l ~none:nothing through by_array join =
  let none = nothing () in
  let front = Spread.front none and is_cheap = ref false in
  let lead () =
    Spread.enter front;
    let most = if List.compare_length_with l Spread.tasks <= 0 then 1 else most in
    let w = { front; none; claimed = 1; most; has_left = false; looked_at = 0.; is_cheap } in
    let first = through w i 1 l in
    if not w.has_left then ignore (Spread.claim front ~from:w.claimed Spread.all none : bool);
    first
  and rest () =
    let from = Spread.take_rest front in
    match if from = Spread.all then [] else drop from l with
    | [] -> None
    | l when !is_cheap -> Some (split (i + from) l ~none:nothing through by_array join)
    | l -> Some (Pool.inside (fun () -> by_array (i + from) (Array.of_list l)))
  in
  match Spread.share front lead rest with
  | first, None -> first
  | first, Some behind -> join first behind

let split l ~none through by_array join =
  if List.is_empty l then none () else split 0 l ~none through by_array join

let nil () = []

(* Two at a time, as in the standard library: that saves a write barrier. *)
let[@tail_mod_cons] rec map_some w f left = function
  | x :: y :: rest when left > 1 ->
      let x = f x in
      let y = f y in
      x :: y :: map_some w f (left - 2) rest
  | [] -> []
  | x :: rest when left > 0 ->
      let x = f x in
      x :: map_some w f (left - 1) rest
  | l -> ( match claim w with 0 -> [] | left -> (map_some [@tailcall]) w f left l)

let map f l =
  split l ~none:nil
    (fun w _ left l -> map_some w f left l)
    (fun _ a -> Array.to_list (Arrays_map.map f a))
    ( @ )

let[@tail_mod_cons] rec mapi_some w f i left = function
  | x :: y :: rest when left > 1 ->
      let x = f i x in
      let y = f (i + 1) y in
      x :: y :: mapi_some w f (i + 2) (left - 2) rest
  | [] -> []
  | x :: rest when left > 0 ->
      let x = f i x in
      x :: mapi_some w f (i + 1) (left - 1) rest
  | l -> ( match claim w with 0 -> [] | left -> (mapi_some [@tailcall]) w f i left l)

let mapi f l =
  split l ~none:nil
    (fun w i left l -> mapi_some w f i left l)
    (fun first a -> Array.to_list (Arrays_map.mapi (fun i x -> f (first + i) x) a))
    ( @ )

let[@tail_mod_cons] rec filter_some w f left l =
  match l with
  | [] -> []
  | x :: rest when left > 0 ->
      if f x then x :: filter_some w f (left - 1) rest
      else (filter_some [@tailcall]) w f (left - 1) rest
  | l -> ( match claim w with 0 -> [] | left -> (filter_some [@tailcall]) w f left l)

let filter f l =
  split l ~none:nil
    (fun w _ left l -> filter_some w f left l)
    (fun _ a -> Array.to_list (Arrays_filter.filter f a))
    ( @ )

let[@tail_mod_cons] rec filter_map_some w f left l =
  match l with
  | [] -> []
  | x :: rest when left > 0 -> (
      match f x with
      | Some y -> y :: filter_map_some w f (left - 1) rest
      | None -> (filter_map_some [@tailcall]) w f (left - 1) rest)
  | l -> ( match claim w with 0 -> [] | left -> (filter_map_some [@tailcall]) w f left l)

let filter_map f l =
  split l ~none:nil
    (fun w _ left l -> filter_map_some w f left l)
    (fun _ a -> Array.to_list (Arrays_filter.filter_map f a))
    ( @ )

let rec fold_some w step left acc l =
  match l with
  | [] -> acc
  | x :: rest when left > 0 -> fold_some w step (left - 1) (step acc x) rest
  | l -> ( match claim w with 0 -> acc | left -> fold_some w step left acc l)

let iter f l =
  let step () x = f x in
  split l ~none:ignore
    (fun w _ left l -> fold_some w step left () l)
    (fun _ a -> Arrays_map.iter f a)
    (fun () () -> ())

let fold_with ~init ~merge step l =
  split l ~none:init
    (fun w _ left l -> fold_some w step left w.none l)
    (fun _ a -> Arrays_fold.fold_with ~init ~merge step a)
    merge

(* Of a few, no two are combined before they are with those to their left (see [Blocks]). *)
let fold f combine init l =
  if List.compare_length_with l Spread.few <= 0 then List.fold_left combine init (map f l)
  else Arrays_fold.fold f combine init (Array.of_list l)

let stable_sort cmp l =
  if List.compare_length_with l Sort.grain <= 0 then List.stable_sort cmp l
  else begin
    let a = Array.of_list l in
    Sort.stable cmp a;
    Array.to_list a
  end

let sort = stable_sort
