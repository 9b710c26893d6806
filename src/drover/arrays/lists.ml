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
  most : int; (* elements that are claimed at a time *)
  mutable claimed : int; (* elements, or blocks of a fold *)
  mutable latest : int; (* the elements that were claimed last *)
  mutable has_left : bool; (* what is left, to others *)
  mutable looked_at : float; (* when the latest of many were done *)
  is_cheap : bool ref; (* these *)
}

(* In seconds, for one: below that an array does not pay. *)
let cheap = 3e-8

let look w =
  let now = Unix.gettimeofday () in
  if w.looked_at > 0. then w.is_cheap := now -. w.looked_at < cheap *. float w.latest;
  w.looked_at <- now

(* Claims the next elements, or blocks of [size], and is how many. *)
let claim_blocks w size =
  let from = w.claimed in
  let count = Spread.stride w.front ~from (Int.max 1 (w.most / size)) in
  if from > most then look w;
  if Spread.claim w.front ~from (from + count) w.none then begin
    w.claimed <- from + count;
    w.latest <- count * size;
    count
  end
  else begin
    w.has_left <- true;
    0
  end

let claim w = claim_blocks w 1
let rec drop n l = match l with _ :: rest when n > 0 -> drop (n - 1) rest | l -> l

(* [through w i left l] goes through [left] blocks of [l], which begins with the block [i], and then what
   [w] can claim; [by_array i a] and [again i l] are the same for all of an array and of a list. The
   block [i] begins with the element [start i]. *)
let split_by start i l ~none through ~again by_array join =
  let are_tasks = List.compare_length_with l Spread.tasks <= 0 in
  let front = Spread.front ~are_tasks none and is_cheap = ref false in
  let lead () =
    Spread.enter front;
    let most = if are_tasks then 1 else most in
    let w =
      { front; none; most; claimed = 1; latest = 1; has_left = false; looked_at = 0.; is_cheap }
    in
    let first = through w i 1 l in
    if not w.has_left then ignore (Spread.claim front ~from:w.claimed Spread.all none : bool);
    first
  and rest () =
    let from = Spread.take_rest front in
    match if from = Spread.all then [] else drop (start (i + from) - start i) l with
    | [] -> None
    | l when !is_cheap -> Some (again (i + from) l)
    | l -> Some (Pool.inside (fun () -> by_array (i + from) (Array.of_list l)))
  in
  match l with
  | [] -> none
  | _ :: _ -> (
      match Spread.share front lead rest with
      | first, None -> first
      | first, Some behind -> join first behind)

let rec split_from i l ~none through by_array join =
  let again i l = split_from i l ~none through by_array join in
  split_by Fun.id i l ~none:(none ()) through ~again by_array join

let split l ~none through by_array join = split_from 0 l ~none through by_array join
let nil () = []

(* Four at a time, where the standard library has two: that saves write barriers, and what is kept meanwhile
   is moved less often. *)
let[@tail_mod_cons] rec map_some w f left = function
  | a :: b :: c :: d :: rest when left > 3 ->
      let a = f a in
      let b = f b in
      let c = f c in
      let d = f d in
      a :: b :: c :: d :: map_some w f (left - 4) rest
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
  | a :: b :: c :: d :: rest when left > 3 ->
      let a = f i a in
      let b = f (i + 1) b in
      let c = f (i + 2) c in
      let d = f (i + 3) d in
      a :: b :: c :: d :: mapi_some w f (i + 4) (left - 4) rest
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
  | x :: y :: rest when left > 1 -> fold_some w step (left - 2) (step (step acc x) y) rest
  | [] -> acc
  | x :: rest when left > 0 -> fold_some w step (left - 1) (step acc x) rest
  | l -> ( match claim w with 0 -> acc | left -> fold_some w step left acc l)

let rec iter_some w f left l =
  match l with
  | x :: y :: rest when left > 1 ->
      f x;
      f y;
      iter_some w f (left - 2) rest
  | [] -> ()
  | x :: rest when left > 0 ->
      f x;
      iter_some w f (left - 1) rest
  | l -> ( match claim w with 0 -> () | left -> iter_some w f left l)

let iter f l =
  split l ~none:ignore
    (fun w _ left l -> iter_some w f left l)
    (fun _ a -> Arrays_map.iter f a)
    (fun () () -> ())

let fold ~make ~merge step l =
  split l ~none:make
    (fun w _ left l -> fold_some w step left w.none l)
    (fun _ a -> Arrays_fold.fold ~make ~merge step a)
    merge

(* A fold combines blocks from left to right: 128 of one element, 128 of four, and so on. So where a
   block begins does not depend on what is behind it. *)

let in_tier = 128
let size_of block = 1 lsl (2 * (block / in_tier))
let start_of block = ((size_of block - 1) / 3 * in_tier) + (block mod in_tier * size_of block)

let fold_blocks w add f combine first left l =
  let acc = ref w.none and l = ref l and block = ref first and left = ref left in
  while !left > 0 do
    match !l with
    | [] -> left := 0
    | x :: rest ->
        let value = ref (f x) and others = ref (size_of !block - 1) in
        l := rest;
        while !others > 0 do
          match !l with
          | [] -> others := 0
          | x :: rest ->
              value := combine !value (f x);
              l := rest;
              decr others
        done;
        acc := add !acc !value;
        incr block;
        decr left;
        if !left = 0 && not (List.is_empty !l) then left := claim_blocks w (size_of !block)
  done;
  !acc

(* The values of all blocks, the last one first. *)

let values_of_array f combine i a =
  let place block = Int.min (Array.length a) (start_of block - start_of i) in
  let rec count n = if place (i + n) = Array.length a then n else count (n + 1) in
  let value k = Arrays_fold.folded f combine a (place (i + k)) (place (i + k + 1) - 1) in
  List.rev (Array.to_list (Arrays_map.init (count 0) value))

let rec values f combine i l =
  split_by start_of i l ~none:[]
    (fun w i left l -> fold_blocks w (fun values v -> v :: values) f combine i left l)
    ~again:(values f combine) (values_of_array f combine)
    (fun values behind -> behind @ values)

let reduce ~init ~combine f l =
  split_by start_of 0 l ~none:init
    (fun w i left l -> fold_blocks w combine f combine i left l)
    ~again:(values f combine) (values_of_array f combine)
    (fun acc values -> List.fold_left combine acc (List.rev values))

let stable_sort cmp l =
  if List.compare_length_with l Sort.grain <= 0 then List.stable_sort cmp l
  else begin
    let a = Array.of_list l in
    Sort.stable cmp a;
    Array.to_list a
  end

let sort = stable_sort
