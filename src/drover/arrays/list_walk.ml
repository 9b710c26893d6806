(* List_walk.

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

let none w = w.none

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
