(* Blocks: how n elements are divided when pieces have results. The division depends on n only, and
   the results are combined from left to right: so a result does not depend on the number of
   domains, even when an operator is only nearly associative, as the addition of floats is. *)

type t = { n : int; size : int; count : int }

(* At most 512 blocks, and at most 128 for small [n]. *)
let divide ?(least = 1) n =
  let wanted = if n <= 8192 then 128 else 512 in
  let size = max least ((n + wanted - 1) / wanted) in
  { n; size; count = (n + size - 1) / size }

(* The least block for bodies of a few instructions an element. *)
let light = 4096

(* The ends of a block, inclusive. *)
let lo b i = i * b.size
let hi b i = min b.n ((i + 1) * b.size) - 1

let iter b body =
  Spread.over b.count (fun first last ->
      for i = first to last do
        Scope.check ();
        body i (lo b i) (hi b i)
      done)

(* [piece] of the blocks from [from] on. *)
let partials b ~from piece =
  let results = Array.make (b.count - from) None in
  Loops.range ~start:from ~finish:(b.count - 1) (fun first last ->
      for i = first to last do
        Scope.check ();
        results.(i - from) <- Some (piece (lo b i) (hi b i))
      done);
  results

let rec add b combine piece acc i last =
  if i > last then acc else add b combine piece (combine acc (piece (lo b i) (hi b i))) (i + 1) last

let in_parallel b combine piece acc ~from =
  Array.fold_left (fun acc r -> combine acc (Option.get r)) acc (partials b ~from piece)

(* As [Spread.lead]. *)
let rec lead b combine piece acc ~since ~from ~step =
  if from >= b.count then acc
  else if Unix.gettimeofday () -. since > Spread.patience then in_parallel b combine piece acc ~from
  else
    let upto = Int.min b.count (from + step) in
    let acc = add b combine piece acc from (upto - 1) in
    lead b combine piece acc ~since ~from:upto ~step:(step * 16)

(* [init] combined with [piece lo hi] of each block, in order. *)
let reduce b ~init ~combine piece =
  if b.count <= 1 then add b combine piece init 0 (b.count - 1)
  else if b.n >= Spread.many || Spread.in_task () then in_parallel b combine piece init ~from:0
  else lead b combine piece init ~since:(Unix.gettimeofday ()) ~from:0 ~step:1
