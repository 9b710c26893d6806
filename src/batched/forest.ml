(* Union-find for one user at a time, except that [root] may run in parallel with itself.

   [parents.(x)] is the parent of [x], or, for a root, [-size]. [root] halves paths: it only ever
   writes an ancestor of [x] in place of a nearer one. So whatever two of them, side by side, read
   and write, they find the root, as long as no roots are linked meanwhile. *)

type t = { mutable parents : int array; mutable length : int; mutable sets : int }

let create n = { parents = Array.make n (-1); length = n; sets = n }

let rec root parents x =
  let parent = parents.(x) in
  if parent < 0 then x
  else
    let above = parents.(parent) in
    if above < 0 then parent
    else begin
      parents.(x) <- above;
      root parents above
    end

(* [x] and [y] are different roots. *)
let[@inline] join parents x y =
  let small, large =
    if parents.(x) > parents.(y) || (parents.(x) = parents.(y) && x > y) then (x, y) else (y, x)
  in
  parents.(large) <- parents.(large) + parents.(small);
  parents.(small) <- large

let link t x y =
  join t.parents x y;
  t.sets <- t.sets - 1

let unite t x y =
  let x = root t.parents x and y = root t.parents y in
  if x <> y then link t x y

(* Many unions.

   Blocks of the pairs, in order, own ranges of the elements: each from the least element of its first pair on, as far
   as the next block's. A block alone reads and writes the parents of its range, so all go side by side. It puts off a
   pair if the way to a root leaves the range; those are united one after the other at last. So pairs that lie near
   each other, as those of an image or a mesh do, are united in parallel; others cost a look more. *)

(* As [root], within [lo .. hi - 1]; or -1 where the way leads out of that. *)
let rec root_within parents lo hi x =
  if x < lo || x >= hi then -1
  else
    let parent = Array.unsafe_get parents x in
    if parent < 0 then x
    else if parent < lo || parent >= hi then -1
    else
      let above = Array.unsafe_get parents parent in
      if above < 0 then parent
      else begin
        Array.unsafe_set parents x above;
        root_within parents lo hi above
      end

type block = {
  lo : int; (* its elements *)
  hi : int;
  mutable joined : int;
  mutable put_off : (int * int) list; (* latest first *)
}

let[@poll error] join_within parents b x y =
  join parents x y;
  b.joined <- b.joined + 1

let unite_within parents b ((x, y) as pair) =
  let x = root_within parents b.lo b.hi x and y = root_within parents b.lo b.hi y in
  if x < 0 || y < 0 then b.put_off <- pair :: b.put_off
  else if x <> y then join_within parents b x y

let shortest = 4096
let most_blocks = 64

(* The first one begins at the first element, and the last one ends at the last. *)
let blocks t pairs size count =
  let starts = Array.make (count + 1) t.length in
  starts.(0) <- 0;
  for i = 1 to count - 1 do
    let x, y = pairs.(i * size) in
    starts.(i) <- Int.min t.length (Int.max starts.(i - 1) (Int.min x y))
  done;
  Array.init count (fun i -> { lo = starts.(i); hi = starts.(i + 1); joined = 0; put_off = [] })

(* The pairs must be of elements that exist. *)
let unite_all t pairs =
  let n = Array.length pairs in
  let size = Int.max shortest ((n + most_blocks - 1) / most_blocks) in
  let count = (n + size - 1) / size in
  if count <= 1 then Array.iter (fun (x, y) -> unite t x y) pairs
  else begin
    let blocks = blocks t pairs size count in
    let of_block i f =
      for k = i * size to Int.min n ((i + 1) * size) - 1 do
        f (Array.unsafe_get pairs k)
      done
    in
    let owns_any { lo; hi; _ } = lo < hi in
    Fun.protect
      ~finally:(fun () -> Array.iter (fun b -> t.sets <- t.sets - b.joined) blocks)
      (fun () ->
        Drover.parallel_for ~start:0 ~finish:(count - 1) (fun i ->
            let b = blocks.(i) in
            if owns_any b then of_block i (unite_within t.parents b)));
    let unite (x, y) = unite t x y in
    Array.iteri
      (fun i b -> if owns_any b then List.iter unite (List.rev b.put_off) else of_block i unite)
      blocks
  end

let add t =
  let x = t.length in
  if x = Array.length t.parents then
    t.parents <- Array.append t.parents (Array.make (Int.max 16 x) (-1));
  t.length <- x + 1;
  t.sets <- t.sets + 1;
  x

let validate t =
  let wrong what = failwith ("Drover_batched: a union-find is broken: " ^ what) in
  let sizes = Array.make t.length 0 and roots = ref 0 in
  for x = 0 to t.length - 1 do
    let rec up y steps =
      if steps > t.length then wrong "cycle";
      if t.parents.(y) < 0 then y else up t.parents.(y) (steps + 1)
    in
    let r = up x 0 in
    sizes.(r) <- sizes.(r) + 1;
    if r = x then incr roots
  done;
  if !roots <> t.sets then wrong "sets";
  Array.iteri (fun x n -> if n > 0 && t.parents.(x) <> -n then wrong "size") sizes
