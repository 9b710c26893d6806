(* Pack: each block finds out how many it has; then it is known where they go. *)

let offsets counts =
  let total = ref 0 in
  Array.iteri
    (fun i n ->
      counts.(i) <- !total;
      total := !total + n)
    counts;
  !total

(* Once for each element, in parallel: is it kept? And how many are, before each block. *)
type marks = { blocks : Blocks.t; kept : Bytes.t; before : int array; total : int }

let is_kept m i = Bytes.unsafe_get m.kept i <> '\000'

(* Elements that are few and costly are marked one by one. *)
let mark n mark_block =
  let kept = Bytes.create n in
  if n <= Spread.block then begin
    let total = Atomic.make 0 in
    Spread.over n (fun lo hi -> ignore (Atomic.fetch_and_add total (mark_block kept lo hi) : int));
    { blocks = { n; size = n; count = 1 }; kept; before = [| 0 |]; total = Atomic.get total }
  end
  else begin
    let blocks = Blocks.divide n in
    let before = Array.make blocks.count 0 in
    Blocks.iter blocks (fun block lo hi -> before.(block) <- mark_block kept lo hi);
    { blocks; kept; before; total = offsets before }
  end

let[@inline] note kept i keep =
  let k = Bool.to_int keep in
  Bytes.unsafe_set kept i (Char.unsafe_chr k);
  k

let mark_elements f a =
  mark (Array.length a) (fun kept lo hi ->
      let count = ref 0 in
      for i = lo to hi do
        count := !count + note kept i (f (Array.unsafe_get a i))
      done;
      !count)

let mark_places n keep =
  mark n (fun kept lo hi ->
      let count = ref 0 in
      for i = lo to hi do
        count := !count + note kept i (keep i)
      done;
      !count)

let select m wanted a =
  let total = if wanted then m.total else m.blocks.n - m.total in
  if total = 0 then [||]
  else begin
    let r = Array.make total (Array.unsafe_get a 0) in
    let block b lo hi =
      let at = ref (if wanted then m.before.(b) else lo - m.before.(b)) in
      for i = lo to hi do
        if is_kept m i = wanted then begin
          Array.unsafe_set r !at (Array.unsafe_get a i);
          incr at
        end
      done
    in
    if m.blocks.count = 1 then block 0 0 (m.blocks.n - 1) else Blocks.iter m.blocks block;
    r
  end
