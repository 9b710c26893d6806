(* 2,000 items of 1 ms, with lognormal times; and a program that allocates much, as processes and as
   domains. Beside the seconds, what share of its ranks' time went into items: that does not depend on
   how fast the machine is at the moment. *)

let items = 2000
let times = Lognormal.times (Random.State.make [| 7 |]) items ~mean:0.001 ~spread:1.

let rec collatz n steps =
  if n = 1 then steps else collatz (if n land 1 = 0 then n / 2 else (3 * n) + 1) (steps + 1)

(* Steps a second of this machine, to make an item as long as it should be. *)
let steps_of seconds = int_of_float (seconds *. 35e6)

let compute seconds =
  let sum = ref 0 in
  for i = 1 to steps_of seconds do
    sum := !sum + collatz (1 + (i land 63)) 0
  done;
  !sum

(* What survives minor collections, and dies: domains wait for each other there. *)
type tree = Leaf of int ref | Node of tree * tree

let rec tree depth = if depth = 0 then Leaf (ref 1) else Node (tree (depth - 1), tree (depth - 1))
let rec leaves = function Leaf n -> !n | Node (a, b) -> leaves a + leaves b

let allocate depth =
  let kept = tree depth in
  let dropped = List.init 3 (fun _ -> leaves (tree (depth - 2))) in
  List.fold_left ( + ) (leaves kept) dropped

let allocations = Array.make 96 18

(* The seconds that an item takes. *)
let timed f item =
  let start = Unix.gettimeofday () in
  ignore (Sys.opaque_identity (f item) : int);
  Unix.gettimeofday () -. start

let report name ~workers map f items =
  let start = Unix.gettimeofday () in
  let spent = Array.fold_left ( +. ) 0. (map (timed f) items) in
  let seconds = Unix.gettimeofday () -. start in
  Printf.printf "%-44s %8.3f s %6.1f%% in items\n%!" name seconds
    (100. *. spent /. seconds /. float workers)

let on_ranks what f items =
  let size = Drover_mpi.size () in
  let name = Printf.sprintf "%s, %d ranks of one domain" what size in
  report name ~workers:size (fun f items -> Drover_mpi.map f items) f items

let on_domains what f items ~domains =
  let name = Printf.sprintf "%s, %d domains" what domains in
  let map f items = Drover.run ~domains (fun () -> Drover.Array.map f items) in
  report name ~workers:domains map f items

let () =
  let ranks = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 2 in
  Drover_mpi.run ~ranks ~domains:1 (fun () ->
      on_ranks "2,000 lognormal items" compute times;
      on_ranks "allocating" allocate allocations);
  on_domains "allocating" allocate allocations ~domains:ranks
