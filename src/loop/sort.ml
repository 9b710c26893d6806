(* Sort: a stable merge sort with any comparison.

   The halves are sorted in parallel, and merged in parallel (see [Merge]). Elements go from a copy
   of the array to the array and another one by turns. A comparison that raises leaves the array as
   it was: then they come back from the copy. Intervals are [lo, hi). *)

(* Up to here, insertion; from here on, in parallel. *)
let short = 6
let grain = 1024

let insertion cmp src dst lo hi =
  for i = lo to hi - 1 do
    let x = Array.unsafe_get src i in
    let j = ref (i - 1) in
    while !j >= lo && cmp (Array.unsafe_get dst !j) x > 0 do
      Array.unsafe_set dst (!j + 1) (Array.unsafe_get dst !j);
      decr j
    done;
    Array.unsafe_set dst (!j + 1) x
  done

(* Leaves [lo, hi) of [a], sorted, in [y]; [x] is overwritten. *)
let rec serial cmp a x y lo hi =
  if hi - lo <= short then insertion cmp a y lo hi
  else begin
    let mid = (lo + hi) / 2 in
    serial cmp a y x lo mid;
    serial cmp a y x mid hi;
    Merge.serial cmp x lo mid mid hi y lo
  end

let rec parallel gather cmp a x y lo hi =
  if hi - lo <= grain then Gather.piece gather (fun () -> serial cmp a x y lo hi)
  else begin
    let mid = (lo + hi) / 2 in
    let (), () =
      Fork_join.both
        (fun () -> parallel gather cmp a y x lo mid)
        (fun () -> parallel gather cmp a y x mid hi)
    in
    Merge.parallel gather cmp x lo mid mid hi y lo
  end

let copy_back sorted a =
  Spread.light (Array.length a) (fun lo hi -> Merge.copy sorted lo (hi + 1) a lo)

let sort_from original cmp a =
  let n = Array.length a in
  if n <= short then insertion cmp original a 0 n
  else
    let scratch = Array.copy original in
    if n <= grain then serial cmp original scratch a 0 n
    else
      Gather.run (fun gather -> Pool.inside (fun () -> parallel gather cmp original scratch a 0 n))

let stable cmp a =
  if Array.length a > 1 then begin
    let original = Array.copy a in
    try sort_from original cmp a
    with exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Array.blit original 0 a 0 (Array.length a);
      Printexc.raise_with_backtrace exn backtrace
  end
