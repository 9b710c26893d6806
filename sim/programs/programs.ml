(* Programs: each is a name, its work in nanoseconds on one processor, and what it does in a task; whether its
   result is right. *)

open Drover_machine

type t = { name : string; work : int; run : unit -> bool }

let busy = Work.busy

let tree leaf depth =
  let rec go d =
    if d = 0 then begin
      busy leaf;
      1
    end
    else
      let a, b = Drover.both (fun () -> go (d - 1)) (fun () -> go (d - 1)) in
      a + b
  in
  {
    name = Printf.sprintf "both, 2^%d leaves of %d ns" depth leaf;
    work = leaf lsl depth;
    run = (fun () -> go depth = 1 lsl depth);
  }

let rec number n = if n < 2 then n else number (n - 1) + number (n - 2)

(* The right side is smaller. *)
let fib leaf n =
  let rec go n =
    if n < 2 then begin
      busy leaf;
      n
    end
    else
      let a, b = Drover.both (fun () -> go (n - 1)) (fun () -> go (n - 2)) in
      a + b
  in
  {
    name = Printf.sprintf "fib %d, leaves of %d ns" n leaf;
    work = leaf * number (n + 1);
    run = (fun () -> go n = number n);
  }

let sum n f =
  let total = ref 0 in
  for i = 0 to n - 1 do
    total := !total + f i
  done;
  !total

let loop name n cost =
  let run () =
    let seen = Bytes.make n '0' in
    Drover.parallel_for ~start:0 ~finish:(n - 1) (fun i ->
        busy (cost i);
        Bytes.set seen i (Char.chr (1 + Char.code (Bytes.get seen i))));
    Bytes.for_all (( = ) '1') seen
  in
  { name; work = sum n cost; run }

let even n w = loop (Printf.sprintf "for, %d of %d ns" n w) n (fun _ -> w)

let triangular n w =
  loop (Printf.sprintf "for, %d triangular, %d ns" n w) n (fun i -> 1 + (2 * w * i / n))

let heavy n w h =
  loop (Printf.sprintf "for, %d of %d ns, one of %d" n w h) n (fun i -> if i = n / 3 then h else w)

let promises n w =
  let run () =
    let task i =
      Drover.async (fun () ->
          busy w;
          i)
    in
    let all = List.init n task in
    List.fold_left (fun sum p -> sum + Drover.await p) 0 all = n * (n - 1) / 2
  in
  { name = Printf.sprintf "async, %d of %d ns" n w; work = n * w; run }

let nested n m w =
  let run () =
    let sums = Array.make n 0 in
    Drover.parallel_for ~start:0 ~finish:(n - 1) (fun i ->
        let seen = Array.make m 0 in
        Drover.parallel_for ~start:0 ~finish:(m - 1) (fun j ->
            busy w;
            seen.(j) <- 1);
        sums.(i) <- Array.fold_left ( + ) 0 seen);
    Array.for_all (( = ) m) sums
  in
  { name = Printf.sprintf "nested for, %d x %d of %d ns" n m w; work = n * m * w; run }

let regions k serial n w =
  let run () =
    let total = ref 0 in
    for _ = 1 to k do
      busy serial;
      let seen = Array.make n 0 in
      Drover.parallel_for ~start:0 ~finish:(n - 1) (fun i ->
          busy w;
          seen.(i) <- 1);
      total := !total + Array.fold_left ( + ) 0 seen
    done;
    !total = k * n
  in
  {
    name = Printf.sprintf "%d regions of %d x %d ns behind %d ns" k n w serial;
    work = k * (serial + (n * w));
    run;
  }

let batched n w =
  let run () =
    let total = ref 0 in
    let one k =
      total := !total + k;
      true
    and many ks =
      busy (2 * Array.length ks);
      Array.iter (fun k -> total := !total + k) ks
    in
    let batch = Drover.Batch.create ~one many in
    Drover.parallel_for ~start:1 ~finish:n (fun i ->
        busy w;
        Drover.Batch.submit batch i);
    !total = n * (n + 1) / 2
  in
  { name = Printf.sprintf "batch, %d submits, %d ns between" n w; work = n * w; run }

let fixed =
  [
    tree 10 16;
    tree 100 15;
    tree 1_000 12;
    tree 10_000 10;
    fib 100 20;
    even 100_000 20;
    even 10_000 1_000;
    even 200_000 1_000;
    even 1_000 10_000;
    triangular 10_000 1_000;
    heavy 10_000 1_000 1_000_000;
    promises 10_000 1_000;
    nested 100 100 1_000;
    regions 50 100_000 20 1_000;
    batched 10_000 1_000;
  ]

let rec log2 p = if p < 2 then 0 else 1 + log2 (p / 2)

(* Some 2 ms of work for each processor *)
let weak =
  [
    (fun p -> tree 10 (17 + log2 p));
    (fun p -> tree 100 (14 + log2 p));
    (fun p -> tree 1_000 (11 + log2 p));
    (fun p -> tree 10_000 (8 + log2 p));
    (fun p -> even (100_000 * p) 20);
    (fun p -> even (2_000 * p) 1_000);
    (fun p -> even (200 * p) 10_000);
    (fun p -> triangular (2_000 * p) 1_000);
    (fun p -> heavy (2_000 * p) 1_000 1_000_000);
    (fun p -> promises (2_000 * p) 1_000);
    (fun p -> promises (200 * p) 10_000);
    (fun p -> nested (20 * p) 100 1_000);
    (fun p -> batched (2_000 * p) 1_000);
    (fun p -> batched (200 * p) 10_000);
  ]
