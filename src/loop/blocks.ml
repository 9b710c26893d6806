type t = { n : int; size : int; count : int }

(* Rounded up; [a] may be as large as [max_int]. *)
let divided a b = (a / b) + Bool.to_int (a mod b > 0)

(* At most 512 blocks, and at most 128 for small [n]. *)
let divide ?(least = 1) n =
  let wanted = if n <= 8192 then 128 else 512 in
  let size = Int.max least (divided n wanted) in
  { n; size; count = divided n size }

(* The least block for bodies of a few instructions an element. *)
let light = 4096

(* The ends of a block, inclusive. *)
let lo b i = i * b.size
let hi b i = if i = b.count - 1 then b.n - 1 else ((i + 1) * b.size) - 1

let iter_from b from body =
  Spread.over (b.count - from) (fun first last ->
      for i = from + first to from + last do
        Scope.check ();
        body i (lo b i) (hi b i)
      done)

let iter b body = iter_from b 0 body

let rec add b combine piece acc i last =
  if i > last then acc
  else begin
    Scope.check ();
    add b combine piece (combine acc (piece (lo b i) (hi b i))) (i + 1) last
  end

(* [init] combined with [piece] of the blocks from [from] on: whoever has the leftmost of them
   combines at once. *)
let in_parallel b combine piece init ~from =
  let later = Array.make (b.count - from) None in
  let acc = ref init and next = ref from in
  Loops.range ~start:from ~finish:(b.count - 1) (fun first last ->
      if first = from then begin
        acc := add b combine piece init first last;
        next := last + 1
      end
      else
        for i = first to last do
          Scope.check ();
          later.(i - from) <- Some (piece (lo b i) (hi b i))
        done);
  for i = !next to b.count - 1 do
    acc := combine !acc (Option.get later.(i - from))
  done;
  !acc

(* [init] combined with [piece lo hi] of each block, in order. *)
let reduce b ~init ~combine piece =
  let add acc first last = add b combine piece acc first last in
  if b.count <= 1 then add init 0 (b.count - 1)
  else
    let acc, from = Spread.lead init ~at_once:(Spread.is_for_all b.n) b.count add in
    if from = b.count then acc else in_parallel b combine piece acc ~from
