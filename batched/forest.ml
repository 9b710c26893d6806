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
let link t x y =
  let small, large =
    if t.parents.(x) > t.parents.(y) || (t.parents.(x) = t.parents.(y) && x > y) then (x, y)
    else (y, x)
  in
  t.parents.(large) <- t.parents.(large) + t.parents.(small);
  t.parents.(small) <- large;
  t.sets <- t.sets - 1

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
