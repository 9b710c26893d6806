(* A batch of operations on a skip list: the list is cut where the middle of the sorted operations
   belongs, both parts are dealt with in parallel, and put together again. A short part is dealt
   with from left to right.

   [serial] is the number of the first operation; the heights of towers come from these numbers, so
   that they do not depend on who runs what. The functions return by how much the length has
   grown. *)

open Skip_line

(* To cut a list and to put it together costs as much as a few searches. *)
let grain = 32

(* One operation, by a finger that is not behind it. Where the comparison raises, the finger is of no
   use any more. *)
let step cmp line finger serial op =
  let key = Op.key op in
  seek cmp key finger;
  let found = next finger.(0) in
  match found with
  | Base b when cmp b.key key = 0 -> (
      let before = Some b.value in
      match Op.step op before with
      | Some value as after ->
          if after != before then b.value <- value;
          0
      | None ->
          unlink finger 0 found;
          -1)
  | _ -> (
      match Op.step op None with
      | Some value ->
          link line finger (height_of serial) key value;
          1
      | None -> 0)

(* On its own. *)
let one cmp line serial op =
  try step cmp line (start line) serial op
  with exn ->
    Op.fail op exn;
    0

(* In any order. *)
let in_turn cmp line ops lo hi serial =
  let grown = ref 0 in
  for i = lo to hi - 1 do
    grown := !grown + one cmp line (serial + i) ops.(i)
  done;
  !grown

(* The line may have got higher than the finger. *)
let heighten line finger =
  let n = Array.length finger in
  if n = line.height then finger else Array.append finger (Array.sub line.heads n (line.height - n))

(* Each search begins where the last one ended, and a few of them are sent ahead. *)
let left_to_right cmp line ops lo hi serial =
  let finger = ref (start line) and grown = ref 0 in
  for i = lo to hi - 1 do
    if (i - lo) mod Skip_descent.width = 0 then
      Skip_warm.searches cmp !finger ops i (Int.min hi (i + Skip_descent.width));
    match step cmp line !finger (serial + i) ops.(i) with
    | more ->
        grown := !grown + more;
        finger := heighten line !finger
    | exception exn ->
        Op.fail ops.(i) exn;
        finger := start line
  done;
  !grown

(* Where to divide sorted operations, at the first one on the key of the middle, and the list. *)
let division cmp line ops lo hi =
  let middle = (lo + hi) / 2 in
  let mid = Sorted_ops.lower_bound cmp ops (Op.key ops.(middle)) lo middle in
  if mid = lo then None else Some (mid, cut_before cmp line (Op.key ops.(mid)))

let rec sorted cmp line ops lo hi serial =
  match if hi - lo <= grain then None else division cmp line ops lo hi with
  | Some (mid, (finger, rest)) -> in_parts cmp line finger rest ops lo mid hi serial
  | None -> left_to_right cmp line ops lo hi serial
  | exception _ -> left_to_right cmp line ops lo hi serial

(* Whatever happens, the parts are put together. *)
and in_parts cmp line finger rest ops lo mid hi serial =
  Fun.protect
    ~finally:(fun () -> append line rest)
    (fun () ->
      cut finger rest;
      let left, right =
        Drover.both
          (fun () -> sorted cmp line ops lo mid serial)
          (fun () -> sorted cmp rest ops mid hi serial)
      in
      left + right)

let apply cmp line ops serial =
  let n = Array.length ops in
  match Sorted_ops.sort cmp ops with
  | None -> in_turn cmp line ops 0 n serial
  | Some ops -> sorted cmp line ops 0 n serial
