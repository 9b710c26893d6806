(* Merge: two sorted runs of one array into a place in another, stably.

   Cormen, Leiserson, Rivest, Stein, "Introduction to Algorithms", third edition, section 27.3: the
   longer run is cut in its middle, the other one where that element belongs, and the two parts are
   merged in parallel. Whatever the comparison answers, every element goes to exactly one part, so
   none is lost. Runs are [lo, hi).

   Random data make the branch of a merge unpredictable, so here the answer of a comparison is a
   number that chooses what to copy; and a merge goes on from both ends at a time, because each end
   would wait for its own last comparison. Kernel: sort-ints. *)

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

(* Neither run is empty. *)
let rec from_left cmp src lo1 hi1 lo2 hi2 dst at =
  if cmp (Array.unsafe_get src lo1) (Array.unsafe_get src lo2) <= 0 then begin
    Array.unsafe_set dst at (Array.unsafe_get src lo1);
    if lo1 + 1 < hi1 then from_left cmp src (lo1 + 1) hi1 lo2 hi2 dst (at + 1)
    else copy src lo2 hi2 dst (at + 1)
  end
  else begin
    Array.unsafe_set dst at (Array.unsafe_get src lo2);
    if lo2 + 1 < hi2 then from_left cmp src lo1 hi1 (lo2 + 1) hi2 dst (at + 1)
    else copy src lo1 hi1 dst (at + 1)
  end

(* [i] if [c] is 1, [j] if it is 0. *)
let[@inline] choose c i j = j lxor (i lxor j land -c)

(* As many steps from each end as neither run can be used up in. [first, last) is where the result
   goes. *)
let rec from_ends cmp src lo1 hi1 lo2 hi2 dst first last =
  let steps = Int.min (hi1 - lo1) (hi2 - lo2) / 2 in
  if steps < 4 then
    if lo1 < hi1 && lo2 < hi2 then from_left cmp src lo1 hi1 lo2 hi2 dst first
    else begin
      copy src lo1 hi1 dst first;
      copy src lo2 hi2 dst (first + hi1 - lo1)
    end
  else begin
    let i = ref lo1 and j = ref lo2 and i' = ref (hi1 - 1) and j' = ref (hi2 - 1) in
    for step = 0 to steps - 1 do
      let c = Bool.to_int (cmp (Array.unsafe_get src !i) (Array.unsafe_get src !j) <= 0) in
      Array.unsafe_set dst (first + step) (Array.unsafe_get src (choose c !i !j));
      i := !i + c;
      j := !j + 1 - c;
      let c = Bool.to_int (cmp (Array.unsafe_get src !i') (Array.unsafe_get src !j') > 0) in
      Array.unsafe_set dst (last - 1 - step) (Array.unsafe_get src (choose c !i' !j'));
      i' := !i' - c;
      j' := !j' - 1 + c
    done;
    from_ends cmp src !i (!i' + 1) !j (!j' + 1) dst (first + steps) (last - steps)
  end

(* From this many elements on, it is worth a comparison or two to find that there is nothing to
   interleave. *)
let long = 32
let in_order cmp src i j = cmp (Array.unsafe_get src i) (Array.unsafe_get src j) <= 0

(* By one worker. *)
let serial cmp src lo1 hi1 lo2 hi2 dst at =
  let n1 = hi1 - lo1 and n2 = hi2 - lo2 in
  if n1 = 0 || n2 = 0 || (n1 + n2 >= long && in_order cmp src (hi1 - 1) lo2) then begin
    copy src lo1 hi1 dst at;
    copy src lo2 hi2 dst (at + n1)
  end
  else if n1 + n2 >= long && not (in_order cmp src lo1 (hi2 - 1)) then begin
    copy src lo2 hi2 dst at;
    copy src lo1 hi1 dst (at + n2)
  end
  else from_ends cmp src lo1 hi1 lo2 hi2 dst at (at + n1 + n2)

(* Where to cut both runs: what is before the cuts is not more than what is behind. *)
let cut cmp src lo1 hi1 lo2 hi2 =
  if hi1 - lo1 >= hi2 - lo2 then
    let mid = (lo1 + hi1) / 2 in
    (mid, lower_bound cmp src (Array.unsafe_get src mid) lo2 hi2)
  else
    let mid = (lo2 + hi2) / 2 in
    (upper_bound cmp src (Array.unsafe_get src mid) lo1 hi1, mid)

let rec parallel gather cmp src lo1 hi1 lo2 hi2 dst at =
  if hi1 - lo1 + hi2 - lo2 <= grain then
    Gather.piece gather (fun () -> serial cmp src lo1 hi1 lo2 hi2 dst at)
  else
    let m1, m2 = Gather.piece gather (fun () -> cut cmp src lo1 hi1 lo2 hi2) in
    let (), () =
      Fork_join.both
        (fun () -> parallel gather cmp src lo1 m1 lo2 m2 dst at)
        (fun () -> parallel gather cmp src m1 hi1 m2 hi2 dst (at + (m1 - lo1) + (m2 - lo2)))
    in
    ()

let merge cmp a b =
  let src = Array.append a b in
  let dst = Array.copy src in
  let n1 = Array.length a and n = Array.length src in
  if n <= grain then serial cmp src 0 n1 n1 n dst 0
  else Gather.run (fun gather -> Pool.inside (fun () -> parallel gather cmp src 0 n1 n1 n dst 0));
  dst
