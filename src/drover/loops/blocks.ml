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

let iter b body =
  Spread.over b.count (fun first last ->
      for i = first to last do
        if i > first then Scope.check ();
        body i (lo b i) (hi b i)
      done)

let rec add b combine piece acc i last =
  if i > last then acc else add b combine piece (combine acc (piece (lo b i) (hi b i))) (i + 1) last

let store later b piece first last =
  for i = first to last do
    Scope.check ();
    later.(i) <- Some (piece (lo b i) (hi b i))
  done

let combined later combine acc ~from =
  let acc = ref acc in
  for i = from to Array.length later - 1 do
    acc := combine !acc (Option.get later.(i))
  done;
  !acc

(* The run that has the leftmost blocks combines at once. *)
let in_parallel b ~init ~combine ~add piece =
  let later = Array.make b.count None in
  let acc = ref init and next = ref 0 in
  Loops.range ~start:0 ~finish:(b.count - 1) (fun first last ->
      if first = 0 then begin
        acc := add init first last;
        next := last + 1
      end
      else store later b piece first last);
  combined later combine !acc ~from:!next

let reduce_by b ~init ~combine ~add piece =
  if not (Spread.is_short b.n) then in_parallel b ~init ~combine ~add piece
  else
    let rest from _ =
      if from >= b.count then None
      else begin
        let later = Array.make b.count None in
        Loops.range ~start:from ~finish:(b.count - 1) (store later b piece);
        Some (from, later)
      end
    in
    match Spread.split b.count init add rest with
    | acc, None -> acc
    | acc, Some (from, later) -> combined later combine acc ~from

let reduce b ~init ~combine piece =
  reduce_by b ~init ~combine ~add:(fun acc first last -> add b combine piece acc first last) piece
