let[@inline] folded f combine a lo hi =
  let acc = ref (f (Array.unsafe_get a lo)) in
  for i = lo + 1 to hi do
    acc := combine !acc (f (Array.unsafe_get a i))
  done;
  !acc

(* Of blocks of one each, nothing is to be done between two. *)
let fold_blocks (b : Blocks.t) f combine a acc first last =
  let acc = ref acc in
  if b.size = 1 then
    for i = first to last do
      acc := combine !acc (f (Array.unsafe_get a i))
    done
  else
    for block = first to last do
      acc := combine !acc (folded f combine a (Blocks.lo b block) (Blocks.hi b block))
    done;
  !acc

let reduce ~init ~combine f a =
  let b = Blocks.divide (Array.length a) in
  Blocks.reduce_by b ~init ~combine
    ~add:(fun acc first last -> fold_blocks b f combine a acc first last)
    (fun lo hi -> folded f combine a lo hi)

let fold_steps step a acc lo hi =
  let acc = ref acc in
  for i = lo to hi do
    acc := step !acc (Array.unsafe_get a i)
  done;
  !acc

let fold ~make ~merge step a =
  Fold.over (Array.length a) ~make ~merge (fun acc lo hi -> fold_steps step a acc lo hi)

let count f a =
  Fold.over (Array.length a)
    ~make:(fun () -> 0)
    ~merge:( + )
    (fun acc lo hi ->
      let n = ref acc in
      for i = lo to hi do
        n := !n + Bool.to_int (f (Array.unsafe_get a i))
      done;
      !n)

(* The first of equal elements is the smaller and the larger one. *)
let min_max cmp a =
  let[@inline] smaller x y = if cmp y x < 0 then y else x in
  let[@inline] larger x y = if cmp y x > 0 then y else x in
  let among (l, m) lo hi =
    let least = ref l and most = ref m in
    for i = lo to hi do
      let x = Array.unsafe_get a i in
      least := smaller !least x;
      most := larger !most x
    done;
    (!least, !most)
  in
  let combine (l, m) (l', m') = (smaller l l', larger m m') in
  let n = Array.length a in
  if n = 0 then None
  else
    let b = Blocks.divide n in
    let add acc first last = among acc (Blocks.lo b first) (Blocks.hi b last) in
    let piece lo hi = among (a.(lo), a.(lo)) (lo + 1) hi in
    Some (Blocks.reduce_by b ~init:(a.(0), a.(0)) ~combine ~add piece)

let sum_ranges n piece ~zero ~add =
  if n <= 0 then zero
  else if n <= Blocks.light then piece 0 (n - 1)
  else Blocks.reduce (Blocks.divide ~least:Blocks.light n) ~init:zero ~combine:add piece
