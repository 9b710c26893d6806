(* Reductions group their values in the same way at each run: with a [combine] that is not
   associative, the result is that of the tree that the manual describes, on every number of domains
   and whatever is stolen. *)

open Test_support
open Pauses

let combine a b = "(" ^ a ^ " " ^ b ^ ")"

(* The tree, once more. *)

let rec fold_left leaf lo hi acc =
  if lo > hi then acc else fold_left leaf (lo + 1) hi (combine acc (leaf lo))

let rec perfect leaf block lo length =
  if length = block then fold_left leaf (lo + 1) (lo + block - 1) (leaf lo)
  else
    let half = length / 2 in
    combine (perfect leaf block lo half) (perfect leaf block (lo + half) half)

let rec largest block n length = if 2 * length > n then length else largest block n (2 * length)

let rec tree leaf block lo n =
  if n < block then fold_left leaf (lo + 1) (lo + n - 1) (leaf lo)
  else
    let length = largest block n block in
    let front = perfect leaf block lo length in
    if length = n then front else combine front (tree leaf block (lo + length) (n - length))

(* A power of two, for 16 to 31 blocks if there are so many values; at most 256. *)
let rec block_of n = if n < 32 then 1 else Int.min 256 (2 * block_of (n / 2))
let expected leaf n = if n = 0 then "-" else combine "-" (tree leaf (block_of n) 0 n)

let on_pools show c f =
  (not (is_fine c))
  ||
  let expected = f 1 in
  List.for_all (fun domains -> Properties.agree show ~expected ~found:(f domains)) [ 2; 4; 8 ]

let reduce c domains =
  Drover.run ~domains (fun () ->
      Drover.parallel_reduce ~grain:c.grain ~start:c.start ~finish:(finish c) ~init:"-" ~combine
        (fun i ->
          pause_at c i;
          string_of_int (i - c.start)))

let reduce_law c =
  (not (is_fine c))
  || Properties.agree Fun.id ~expected:(expected string_of_int c.n) ~found:(reduce c 1)
     && on_pools Fun.id c (reduce c)

(* The intervals that [f] was called for, in order. *)
let reduce_range c domains =
  let mutex = Stdlib.Mutex.create () and intervals = ref [] in
  let f lo hi =
    pause_at c lo;
    let lo = lo - c.start and hi = hi - c.start in
    Stdlib.Mutex.protect mutex (fun () -> intervals := (lo, hi) :: !intervals);
    Printf.sprintf "%d-%d" lo hi
  in
  let result =
    Drover.run ~domains (fun () ->
        Drover.parallel_reduce_range ~grain:c.grain ~start:c.start ~finish:(finish c) ~init:"-"
          ~combine f)
  in
  (result, List.sort compare !intervals)

let show_intervals (result, intervals) =
  let show (lo, hi) = Printf.sprintf "%d-%d" lo hi in
  String.concat " " (result :: "of" :: List.map show intervals)

let rec same_lengths length = function
  | [] | [ _ ] -> true
  | (lo, hi) :: later -> hi - lo + 1 = length && same_lengths length later

let reduce_range_law c =
  (not (is_fine c))
  ||
  let result, intervals = reduce_range c 1 in
  let count = List.length intervals in
  let leaf k =
    let lo, hi = List.nth intervals k in
    Printf.sprintf "%d-%d" lo hi
  in
  let lengths_are_fine =
    match intervals with
    | [] -> c.n = 0
    | (_, hi) :: _ -> same_lengths (hi + 1) intervals && (count = 1 || hi + 1 >= c.grain)
  in
  count <= 512 && lengths_are_fine
  && Properties.agree Fun.id ~expected:(expected leaf count) ~found:result
  && on_pools show_intervals c (reduce_range c)

(* Floats, as a user meets them: equal to the last digit. *)
let floats c domains =
  let x i = sin (float (i - c.start)) *. 1e3 in
  let f i =
    pause_at c i;
    x i
  in
  let piece lo hi =
    let sum = ref (f lo) in
    for k = 1 to hi - lo do
      sum := !sum +. f (lo + k)
    done;
    !sum
  in
  let start = c.start and finish = finish c in
  let a = Array.init c.n (fun i -> x (c.start + i)) in
  Drover.run ~domains (fun () ->
      [
        Drover.parallel_reduce ~grain:c.grain ~start ~finish ~init:0. ~combine:( +. ) f;
        Drover.parallel_reduce_range ~grain:c.grain ~start ~finish ~init:0. ~combine:( +. ) piece;
        Drover.Array.reduce ~init:0. ~combine:( +. ) Fun.id a;
        Drover.Array.sum_floats a;
        Drover.Delayed.(reduce ~init:0. ~combine:( +. ) (of_array a));
        Array.fold_left ( +. ) 0. (Drover.Array.scan ~init:0. ~combine:( +. ) a);
      ])

let show_floats sums = String.concat " " (List.map (Printf.sprintf "%.17g") sums)
let floats_law c = on_pools show_floats c (floats c)

let () =
  let property name law = Watchdog.property ~count:10 ~name ~print case law in
  Properties.run
    [
      property "parallel_reduce" reduce_law;
      property "parallel_reduce_range" reduce_range_law;
      property "floats" floats_law;
    ]
