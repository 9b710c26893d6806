(* Reduction_tree.

   The values of the indices 0 .. n - 1 are the leaves of a tree that depends on n only. Blocks
   of a power of two are folded from the left; two blocks make one of twice the length where the
   first begins at a multiple of that; what remains at the end is combined from the right. For up
   to 63 values a block is of two: a balanced tree, as [combine] may be what takes long. For more
   there are 16 blocks at least, so that two workers are rarely in the same.

   ((0 1) (2 3)) ((4 5) 6)          n = 7 (((0 1) 2 3) ((4 5) 6 7)) (8 9)  n = 10, if blocks were
   of 4

   What a run of a loop has computed is what it could combine of that: segments, leftmost first,
   of which no two belong together yet (see [Reduction]). In the middle of a block a run that
   does not have its start can combine nothing, and keeps a segment for each value. The segments
   of two runs that follow each other make a share, as if a single run had gone on. There are
   O(log n) segments and those of two blocks. *)

type 'a segment = { first : int; stop : int; value : 'a }
type 'a share = 'a segment list

let longest = 256
let rec power_of_two_upto most p = if 2 * p > most then p else power_of_two_upto most (2 * p)
let block n = if n <= 0 then longest else power_of_two_upto (Int.min longest (n / 16)) 2

(* Whether the first of two neighbours can take up the second. *)
let belong_together block a b =
  let length = b.stop - b.first in
  if b.first land (block - 1) <> 0 then a.first land (block - 1) = 0 && b.first - a.first < block
  else length >= block && a.stop - a.first = length && a.first land ((2 * length) - 1) = 0

(* [before] has the rightmost first. *)
let rec add block combine before b =
  match before with
  | a :: before when belong_together block a b ->
      add block combine before { first = a.first; stop = b.stop; value = combine a.value b.value }
  | before -> b :: before

let join block combine share behind =
  List.rev (List.fold_left (add block combine) (List.rev share) behind)

let rec value combine = function
  | [] -> assert false (* a run has done an iteration *)
  | [ last ] -> last.value
  | a :: behind -> combine a.value (value combine behind)
