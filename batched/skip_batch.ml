(* A batch of operations on a skip list: the list is cut where the middle of the sorted operations
   belongs, both parts are dealt with in parallel, and put together again. A short part is dealt
   with from left to right, a group of searches after the other.

   [serial] is the number of the first operation; the heights of towers come from these numbers, so
   that they do not depend on who runs what. The functions return by how much the length has
   grown. *)

open Skip_line

(* To cut a list and to put it together costs as much as a few searches. *)
let grain = 32

(* One operation, on its own. *)
let one cmp line serial op =
  match Skip_search.alone cmp (start line) op with
  | search -> Skip_search.apply line [| search |] serial 1 0
  | exception exn ->
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

(* [finger] is nowhere behind the operations. The one of a group's first search is of use to the
   next: its nodes are before all that a group takes out. *)
let rec left_to_right cmp line finger ops lo hi serial grown =
  if lo = hi then grown
  else
    let next = Int.min hi (lo + Skip_search.width) in
    match Skip_search.group cmp finger ops lo next with
    | searches ->
        let grown = grown + Skip_search.apply line searches (serial + lo) (next - lo) 0 in
        let finger = heighten line searches.(0).finger in
        left_to_right cmp line finger ops next hi serial grown
    | exception _ ->
        let grown = grown + in_turn cmp line ops lo next serial in
        left_to_right cmp line (start line) ops next hi serial grown

(* Where to divide sorted operations: at the first one on the key of the middle. *)
let middle cmp ops lo hi =
  let mid = (lo + hi) / 2 in
  Sorted_ops.lower_bound cmp ops (Op.key ops.(mid)) lo mid

let rec sorted cmp line ops lo hi serial =
  match if hi - lo <= grain then lo else middle cmp ops lo hi with
  | mid when mid > lo -> (
      match split cmp line (Op.key ops.(mid)) with
      | rest -> in_parts cmp line rest ops lo mid hi serial
      | exception _ -> left_to_right cmp line (start line) ops lo hi serial 0)
  | _ | (exception _) -> left_to_right cmp line (start line) ops lo hi serial 0

(* Whatever happens, the parts are put together. *)
and in_parts cmp line rest ops lo mid hi serial =
  let left, right =
    Fun.protect
      ~finally:(fun () -> append line rest)
      (fun () ->
        Drover.both
          (fun () -> sorted cmp line ops lo mid serial)
          (fun () -> sorted cmp rest ops mid hi serial))
  in
  left + right

let apply cmp line ops serial =
  let n = Array.length ops in
  match Sorted_ops.sort cmp ops with
  | None -> in_turn cmp line ops 0 n serial
  | Some ops -> sorted cmp line ops 0 n serial
