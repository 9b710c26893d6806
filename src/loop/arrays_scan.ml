(* Arrays, scanned: each element combined with all before it.

   Blelloch, "Prefix sums and their applications" (1990), section 1.2, with blocks: what each block
   amounts to, then each block from what the ones before it amount to. *)

let total op a lo hi =
  let acc = ref (Array.unsafe_get a lo) in
  for i = lo + 1 to hi do
    acc := op !acc (Array.unsafe_get a i)
  done;
  !acc

let inclusive op init src dst lo hi =
  let acc = ref init in
  for i = lo to hi do
    acc := op !acc (Array.unsafe_get src i);
    Array.unsafe_set dst i !acc
  done;
  !acc

let exclusive op init src dst lo hi =
  let acc = ref init in
  for i = lo to hi do
    let x = Array.unsafe_get src i in
    Array.unsafe_set dst i !acc;
    acc := op !acc x
  done;
  !acc

(* Up to here one pass does with fewer steps. *)
let few = 64

(* [scan_block op init src dst lo hi] scans a block from [init] and returns what comes after it. *)
let run scan_block op init src dst =
  let n = Array.length src in
  if n <= few then scan_block op init src dst 0 (n - 1)
  else begin
    let b = Blocks.divide ~least:16 n in
    let starts = Array.make (b.count + 1) init in
    Blocks.iter b (fun block lo hi -> starts.(block + 1) <- total op src lo hi);
    for block = 1 to b.count do
      starts.(block) <- op starts.(block - 1) starts.(block)
    done;
    Blocks.iter b (fun block lo hi -> ignore (scan_block op starts.(block) src dst lo hi));
    starts.(b.count)
  end

let scan op init a =
  let r = Array.make (Array.length a) init in
  ignore (run inclusive op init a r);
  r

let scan_exclusive op init a =
  let r = Array.make (Array.length a) init in
  let last = run exclusive op init a r in
  (r, last)

let scan_inplace op init a = ignore (run inclusive op init a a)
let scan_exclusive_inplace op init a = run exclusive op init a a

(* For bodies of a few instructions an element: [rest start lo hi] scans a block of 0..n-1 from
   [start], and [sum lo hi] is what it amounts to. *)
let by_blocks n ~zero ~add ~sum ~rest =
  if n <= Blocks.light then rest zero 0 (n - 1)
  else begin
    let b = Blocks.divide ~least:Blocks.light n in
    let starts = Array.make (b.count + 1) zero in
    Blocks.iter b (fun block lo hi -> starts.(block + 1) <- sum lo hi);
    for block = 1 to b.count do
      starts.(block) <- add starts.(block - 1) starts.(block)
    done;
    Blocks.iter b (fun block lo hi -> rest starts.(block) lo hi)
  end
