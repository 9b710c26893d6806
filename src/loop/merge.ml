(* Merge: two sorted runs into one, stably.

   Cormen, Leiserson, Rivest, Stein, "Introduction to Algorithms", third edition, section 27.3: the
   longer run is cut in its middle, the other one where that element belongs, and the two parts are
   merged in parallel. Whatever the comparison answers, every element goes to exactly one part, so
   none is lost. Runs are [lo, hi). *)

let grain = 4096

(* The first index of [lo, hi) whose element is not less than [x]. *)
let rec lower_bound cmp a x lo hi =
  if lo >= hi then lo
  else
    let mid = (lo + hi) / 2 in
    if cmp (Array.unsafe_get a mid) x < 0 then lower_bound cmp a x (mid + 1) hi
    else lower_bound cmp a x lo mid

(* The first index of [lo, hi) whose element is more than [x]. *)
let rec upper_bound cmp a x lo hi =
  if lo >= hi then lo
  else
    let mid = (lo + hi) / 2 in
    if cmp (Array.unsafe_get a mid) x <= 0 then upper_bound cmp a x (mid + 1) hi
    else upper_bound cmp a x lo mid

let copy src lo hi dst at =
  for i = lo to hi - 1 do
    Array.unsafe_set dst (at + i - lo) (Array.unsafe_get src i)
  done

let interleave cmp a lo1 hi1 b lo2 hi2 dst at =
  let rec go i x j y k =
    if cmp x y <= 0 then begin
      Array.unsafe_set dst k x;
      let i = i + 1 in
      if i < hi1 then go i (Array.unsafe_get a i) j y (k + 1) else copy b j hi2 dst (k + 1)
    end
    else begin
      Array.unsafe_set dst k y;
      let j = j + 1 in
      if j < hi2 then go i x j (Array.unsafe_get b j) (k + 1) else copy a i hi1 dst (k + 1)
    end
  in
  go lo1 (Array.unsafe_get a lo1) lo2 (Array.unsafe_get b lo2) at

(* Merges [lo1, hi1) of [a] and [lo2, hi2) of [b] into [dst] from [at] on, by one worker. Runs that
   are in order already cost one comparison. *)
let serial cmp a lo1 hi1 b lo2 hi2 dst at =
  if lo1 >= hi1 || lo2 >= hi2 || cmp (Array.unsafe_get a (hi1 - 1)) (Array.unsafe_get b lo2) <= 0
  then begin
    copy a lo1 hi1 dst at;
    copy b lo2 hi2 dst (at + hi1 - lo1)
  end
  else interleave cmp a lo1 hi1 b lo2 hi2 dst at

(* Where to cut both runs: what is before the cuts is not more than what is behind. *)
let cut cmp a lo1 hi1 b lo2 hi2 =
  if hi1 - lo1 >= hi2 - lo2 then
    let mid = (lo1 + hi1) / 2 in
    (mid, lower_bound cmp b (Array.unsafe_get a mid) lo2 hi2)
  else
    let mid = (lo2 + hi2) / 2 in
    (upper_bound cmp a (Array.unsafe_get b mid) lo1 hi1, mid)

let rec parallel gather cmp a lo1 hi1 b lo2 hi2 dst at =
  if hi1 - lo1 + hi2 - lo2 <= grain then
    Gather.piece gather (fun () -> serial cmp a lo1 hi1 b lo2 hi2 dst at)
  else
    let m1, m2 = Gather.piece gather (fun () -> cut cmp a lo1 hi1 b lo2 hi2) in
    let (), () =
      Fork_join.both
        (fun () -> parallel gather cmp a lo1 m1 b lo2 m2 dst at)
        (fun () -> parallel gather cmp a m1 hi1 b m2 hi2 dst (at + (m1 - lo1) + (m2 - lo2)))
    in
    ()

let merge cmp a b =
  let n1 = Array.length a and n2 = Array.length b in
  if n1 + n2 <= grain then begin
    let dst = Array.append a b in
    serial cmp a 0 n1 b 0 n2 dst 0;
    dst
  end
  else begin
    let dst = Array.make (n1 + n2) (if n1 > 0 then a.(0) else b.(0)) in
    Gather.run (fun gather -> Pool.inside (fun () -> parallel gather cmp a 0 n1 b 0 n2 dst 0));
    dst
  end
