(* Lists.

   The caller goes through the list, and what it has not begun is a fork, as in [Spread]; where that begins,
   the rest is brought into an array. That, and the way back, takes some ten nanoseconds an element: so the
   rest of a list with cheap elements is gone through in the same way. *)

(* How many elements are claimed at a time, at most; and from so many on, whether they are cheap is seen by
   the clock. *)
let most = 256

(* Who goes through a list, and how far. *)
type walk = {
  next : int Atomic.t;
      (* the first element that nobody has begun; [taken] if others have the rest *)
  most : int; (* of those that are claimed at a time *)
  since : float; (* outside a task: when it began; else 0. *)
  mutable has_left : bool; (* what is left, to others *)
  mutable looked_at : float; (* when the latest of many were done *)
  mutable is_cheap : bool;
}

let taken = max_int

let walk l ~since =
  let most = if List.compare_length_with l Spread.tasks <= 0 then 1 else most in
  { next = Atomic.make 1; most; since; has_left = false; looked_at = 0.; is_cheap = false }

(* In seconds, for one: below that an array does not pay. *)
let cheap = 3e-8

let look w =
  let now = Unix.gettimeofday () in
  if w.looked_at > 0. then w.is_cheap <- now -. w.looked_at < cheap *. float most;
  w.looked_at <- now

(* Claims the next elements, and is how many. *)
let claim w =
  let from = Atomic.get w.next in
  let size = Int.min w.most (7 * from) in
  if from > most && from <> taken then look w;
  let goes_on =
    from <> taken
    && (not (Spread.is_looked_for ~since:w.since))
    && Atomic.compare_and_set w.next from (from + size)
  in
  w.has_left <- not goes_on;
  if goes_on then size else 0

let rec drop n l = match l with _ :: rest when n > 0 -> drop (n - 1) rest | l -> l

(* [through w i left l] goes through [left] elements of [l], which begins with the element [i], and then
   what [w] can claim, and [by_array i a] is the same for all of an array. The caller has the first. *)
let rec split i l through by_array join =
  let front w =
    let first = through w i 1 l in
    if not w.has_left then Atomic.set w.next taken;
    first
  and behind w () =
    let from = Atomic.exchange w.next taken in
    match if from = taken then [] else drop from l with
    | [] -> None
    | l when w.is_cheap -> Some (split (i + from) l through by_array join)
    | l -> Some (by_array (i + from) (Array.of_list l))
  in
  let first, behind =
    match Worker.mine () with
    | Some _ ->
        let w = walk l ~since:0. in
        Fork_join.both (fun () -> front w) (behind w)
    | None when Spread.is_due () -> Pool.inside (fun () -> (by_array 0 (Array.of_list l), None))
    | None ->
        let w = walk l ~since:(Unix.gettimeofday ()) in
        let first = front w in
        (first, if Atomic.get w.next = taken then None else Pool.inside (behind w))
  in
  match behind with None -> first | Some behind -> join first behind

let split l through by_array join = split 0 l through by_array join

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
  split l
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
  split l
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
  split l
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
  split l
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
  split l
    (fun w _ left l -> fold_some w step left () l)
    (fun _ a -> Arrays_map.iter f a)
    (fun () () -> ())

let fold_with ~init ~merge step l =
  split l
    (fun w _ left l -> fold_some w step left (init ()) l)
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
