(* Lists: each function is a walk of the caller's, and one of arrays for what others take. *)

open List_walk

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

let find_all = filter

(* The elements of [l] whose flag is [wanted]. *)
let[@tail_mod_cons] rec flagged (wanted : bool) flags l =
  match (flags, l) with
  | flag :: flags, x :: rest when flag = wanted -> x :: flagged wanted flags rest
  | _ :: flags, _ :: rest -> (flagged [@tailcall]) wanted flags rest
  | _, [] | [], _ -> []

let partition f l =
  let flags = map f l in
  (flagged true flags l, flagged false flags l)

let[@tail_mod_cons] rec concat_some w f left rest =
  match rest with
  | [] -> []
  | x :: rest when left > 0 -> (concat_after [@tailcall]) (f x) w f (left - 1) rest
  | rest -> ( match claim w with 0 -> [] | left -> (concat_some [@tailcall]) w f left rest)

and[@tail_mod_cons] concat_after l w f left rest =
  match l with
  | [] -> (concat_some [@tailcall]) w f left rest
  | y :: l -> y :: concat_after l w f left rest

let concat_map f l =
  split l ~none:nil
    (fun w _ left l -> concat_some w f left l)
    (fun _ a -> List.concat_map Fun.id (Array.to_list (Arrays_map.map f a)))
    ( @ )

let init n f =
  if n < 0 then invalid_arg "Drover.List.init: n < 0";
  Array.to_list (Arrays_map.init n f)

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

let rec iteri_some w f i left l =
  match l with
  | [] -> ()
  | x :: rest when left > 0 ->
      f i x;
      iteri_some w f (i + 1) (left - 1) rest
  | l -> ( match claim w with 0 -> () | left -> iteri_some w f i left l)

let iteri f l =
  split l ~none:ignore
    (fun w i left l -> iteri_some w f i left l)
    (fun first a -> Arrays_map.iteri (fun i x -> f (first + i) x) a)
    (fun () () -> ())

let fold ~make ~merge step l =
  split l ~none:make
    (fun w _ left l -> fold_some w step left (none w) l)
    (fun _ a -> Arrays_fold.fold ~make ~merge step a)
    merge

(* A fold combines blocks from left to right: 128 of one element, 128 of four, and so on. So where a
   block begins does not depend on what is behind it. *)

let in_tier = 128
let size_of block = 1 lsl (2 * (block / in_tier))
let start_of block = ((size_of block - 1) / 3 * in_tier) + (block mod in_tier * size_of block)

let fold_blocks w add f combine first left l =
  let acc = ref (none w) and l = ref l and block = ref first and left = ref left in
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
let fast_sort = stable_sort

include Lists_find

(* What [open Drover] would hide. *)
include (List : Serial.List)
