(* A batch of operations on a skip list: the list is cut where the middle of the sorted operations
   belongs, both parts are dealt with in parallel, and put together again. A short part is dealt
   with from left to right, by a finger.

   [serial] is the number of the first operation; the heights of towers come from these numbers, so
   that they do not depend on who runs what. The functions return by how much the length has
   grown. *)

open Skip_line

let grain = 128

(* [op] at the place of its key, where [found] is the node of the key or [Nil]. *)
let perform line finger serial op found =
  match found with
  | Base b -> (
      let before = Some b.value in
      match Op.step op before with
      | None ->
          unlink finger 0 found;
          -1
      | Some value as after ->
          if after != before then b.value <- value;
          0)
  | Nil | Head _ | Index _ -> (
      match Op.step op None with
      | None -> 0
      | Some value ->
          link line finger (height_of serial) (Op.key op) value;
          1)

let locate cmp finger op =
  let key = Op.key op in
  seek cmp key finger;
  match next finger.(0) with Base b as found when cmp b.key key = 0 -> found | _ -> Nil

(* [finger] is nowhere behind the key. After an exception it may be on some levels where it was
   going to: it is of no use then. *)
let one cmp line finger serial op =
  match locate cmp finger op with
  | found -> perform line finger serial op found
  | exception exn ->
      Op.fail op exn;
      Array.blit line.heads 0 finger 0 (Array.length finger);
      0

(* In any order. *)
let in_turn cmp line ops lo hi serial =
  let grown = ref 0 in
  for i = lo to hi - 1 do
    grown := !grown + one cmp line (start line) (serial + i) ops.(i)
  done;
  !grown

(* The line may have got higher than the finger. *)
let heighten line finger =
  let n = Array.length finger in
  if n = line.height then finger else Array.append finger (Array.sub line.heads n (line.height - n))

let left_to_right cmp line ops lo hi serial =
  let grown = ref 0 and finger = ref (start line) in
  for i = lo to hi - 1 do
    finger := heighten line !finger;
    grown := !grown + one cmp line !finger (serial + i) ops.(i)
  done;
  !grown

(* Where to divide sorted operations: at the first one on the key of the middle. *)
let middle cmp ops lo hi =
  let mid = (lo + hi) / 2 in
  Sorted_ops.lower_bound cmp ops (Op.key ops.(mid)) lo mid

let rec sorted cmp line ops lo hi serial =
  match if hi - lo <= grain then lo else middle cmp ops lo hi with
  | mid when mid > lo -> (
      match split cmp line (Op.key ops.(mid)) with
      | rest -> in_parts cmp line rest ops lo mid hi serial
      | exception _ -> left_to_right cmp line ops lo hi serial)
  | _ | (exception _) -> left_to_right cmp line ops lo hi serial

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
