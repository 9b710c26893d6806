(* The spectral norm of a matrix: each rank multiplies its rows on all its cores, and all get the
   whole vector. *)

open Drover_mpi

(* This rank's part of a product whose line [i] is [line i], then all of it. *)
let multiply line from into =
  let rows = Array.length from / size () in
  let first = rank () * rows in
  let part = Array.make rows 0. in
  Drover.parallel_for ~start:0 ~finish:(rows - 1) (fun i ->
      part.(i) <- line from (first + i));
  Numbers.all_gather (Numbers.floats part) (Numbers.floats into)

let sum n f =
  let total = ref 0. in
  for j = 0 to n - 1 do
    total := !total +. f j
  done;
  !total

let element i j = 1. /. float (((i + j) * (i + j + 1) / 2) + i + 1)
let row v i = sum (Array.length v) (fun j -> element i j *. v.(j))
let column v i = sum (Array.length v) (fun j -> element j i *. v.(j))

let norm n () =
  let u = Array.make n 1.
  and v = Array.make n 0.
  and half = Array.make n 0. in
  let squared from into =
    multiply row from half;
    multiply column half into
  in
  for _ = 1 to 10 do
    squared u v;
    squared v u
  done;
  sqrt (sum n (fun i -> u.(i) *. v.(i)) /. sum n (fun i -> v.(i) *. v.(i)))

let () =
  run @@ fun () ->
  let n = 120 * size () in
  let norms = everywhere (norm n) in
  Printf.printf "the norm is %.2f\n" norms.(0)
