(* 2,000 items of 1 ms, with lognormal times; and a program that allocates much, as processes and as
   domains. What an item takes is processor time, so that other programs do not count. *)

let items = 2000

let normal random =
  let u = 1. -. Random.State.float random 1. and v = Random.State.float random 1. in
  sqrt (-2. *. log u) *. cos (2. *. Float.pi *. v)

let times =
  let random = Random.State.make [| 7 |] in
  Array.init items (fun _ -> 0.001 *. exp (normal random -. 0.5))

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

(* Short-lived and longer-lived values: a set of random numbers that is built again and again. *)
module Ints = Set.Make (Int)

let allocate seed =
  let random = Random.State.make [| seed |] in
  let set = ref Ints.empty in
  for _ = 1 to 4000 do
    set := Ints.add (Random.State.bits random) !set;
    if Ints.cardinal (Ints.filter (fun n -> n land 255 = 0) !set) < 0 then set := Ints.empty
  done;
  Ints.cardinal !set

let allocations = Array.init 24 Fun.id

let time name f =
  let start = Unix.gettimeofday () in
  f ();
  Printf.printf "%-44s %8.3f s\n%!" name (Unix.gettimeofday () -. start)

let () =
  let ranks = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 2 in
  Drover_mpi.run ~ranks ~domains:1 @@ fun () ->
  let name what = Printf.sprintf "%s, %d ranks of one domain" what (Drover_mpi.size ()) in
  time (name "2,000 lognormal items") (fun () -> ignore (Drover_mpi.map compute times : int array));
  time (name "allocating") (fun () -> ignore (Drover_mpi.map allocate allocations : int array));
  let domains = Drover_mpi.size () in
  if Drover_mpi.mpi = None || domains > 1 then
    time (Printf.sprintf "allocating, %d domains" domains) (fun () ->
        Drover.run ~domains (fun () -> ignore (Drover.Array.map allocate allocations : int array)))
