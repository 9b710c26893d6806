(* Blelloch, "Prefix sums and their applications" (1990), section 1.2, with blocks: what each
   block amounts to, then each block from what the ones before it amount to. *)

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
let few = 128

(* What comes before each block, and behind the last one. *)
let starts (b : Blocks.t) op init total =
  let starts = Array.make (b.count + 1) init in
  Blocks.iter b (fun block lo hi -> starts.(block + 1) <- total lo hi);
  for block = 1 to b.count do
    starts.(block) <- op starts.(block - 1) starts.(block)
  done;
  starts

(* The result's array is made while the blocks are added up: to fill it takes one worker as long as
   the scan. Kernel: scan. *)
let beside n make f =
  if n <= Spread.block then
    let r = make () in
    (r, f ())
  else Pool.inside (fun () -> Fork_join.both make f)

(* [scan_block op init src dst lo hi] scans a block from [init] and returns what comes after it. *)
let run scan_block op init src make =
  let n = Array.length src in
  if n <= few then
    let dst = make () in
    (dst, scan_block op init src dst 0 (n - 1))
  else begin
    let b = Blocks.divide ~least:16 n in
    let dst, starts = beside n make (fun () -> starts b op init (total op src)) in
    Blocks.iter b (fun block lo hi -> ignore (scan_block op starts.(block) src dst lo hi));
    (dst, starts.(b.count))
  end

let scan_exclusive ~init ~combine a =
  run exclusive combine init a (fun () -> Array.make (Array.length a) init)

let scan ~init ~combine a =
  fst (run inclusive combine init a (fun () -> Array.make (Array.length a) init))

let scan_inplace ~init ~combine a = ignore (run inclusive combine init a (fun () -> a))
let scan_exclusive_inplace ~init ~combine a = snd (run exclusive combine init a (fun () -> a))

(* For bodies of a few instructions an element. [scan dst start lo hi] scans a block of 0..n-1 from
   [start] into [dst], which is [make ()], and returns what comes after it: that must be [add start
   (total lo hi)].

   Whoever has the leftmost block of those that are left knows where it starts, and scans it at once
   if there is a [dst] by now; the others, and those before there is one, add theirs up. A second
   pass scans these. So one worker alone reads each element once. The block that [leftmost] tells
   belongs to one worker, which alone moves it on. Kernels: scan, scan-inplace. *)
let by_blocks n make ~zero ~add ~total ~scan =
  let b = Blocks.divide ~least:Blocks.light n in
  let starts = Array.make (b.count + 1) zero and scanned = Array.make b.count false in
  let made = Atomic.make None and leftmost = Atomic.make 0 in
  let make_now () =
    let dst = make () in
    Atomic.set made (Some dst);
    dst
  in
  let scan_now block lo hi dst =
    scanned.(block) <- true;
    scan dst starts.(block) lo hi
  in
  let first_pass block lo hi =
    if Atomic.get leftmost < block then starts.(block + 1) <- total lo hi
    else begin
      starts.(block + 1) <-
        (match Atomic.get made with
        | Some dst -> scan_now block lo hi dst
        | None -> add starts.(block) (total lo hi));
      Atomic.set leftmost (block + 1)
    end
  in
  let dst, () = beside n make_now (fun () -> Blocks.iter b first_pass) in
  for block = Atomic.get leftmost to b.count - 1 do
    starts.(block + 1) <- add starts.(block) starts.(block + 1)
  done;
  if not (Array.for_all Fun.id scanned) then
    Blocks.iter b (fun block lo hi -> if not scanned.(block) then ignore (scan_now block lo hi dst));
  dst

let by_blocks n make ~zero ~add ~total ~scan =
  if n <= Blocks.light then begin
    let dst = make () in
    ignore (scan dst zero 0 (n - 1));
    dst
  end
  else by_blocks n make ~zero ~add ~total ~scan
