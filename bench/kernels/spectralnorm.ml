open Drover_harness

let[@inline] element i j = 1. /. float (((i + j) * (i + j + 1) / 2) + i + 1)

(* One row of A v, and one of its transpose. *)
let row v i =
  let sum = ref 0. in
  for j = 0 to Array.length v - 1 do
    sum := !sum +. (element i j *. v.(j))
  done;
  !sum

let column v i =
  let sum = ref 0. in
  for j = 0 to Array.length v - 1 do
    sum := !sum +. (element j i *. v.(j))
  done;
  !sum

let multiply (for_each : Loop.t) line v into =
  for_each ~start:0 ~finish:(Array.length v - 1) (fun i -> into.(i) <- line v i)

let norm u v =
  let vbv = ref 0. and vv = ref 0. in
  for i = 0 to Array.length u - 1 do
    vbv := !vbv +. (u.(i) *. v.(i));
    vv := !vv +. (v.(i) *. v.(i))
  done;
  sqrt (!vbv /. !vv)

let solve for_each n =
  let u = Array.make n 1. and v = Array.make n 0. and half = Array.make n 0. in
  let squared from into =
    multiply for_each row from half;
    multiply for_each column half into
  in
  for _ = 1 to 10 do
    squared u v;
    squared v u
  done;
  norm u v

let kernel : Kernel.t =
  let prepare (p : Kernel.params) =
    let n = Kernel.by_size p.size ~tiny:40 ~quick:1200 ~full:2000 in
    Ok
      (Kernel.Problem
         {
           about = Printf.sprintf "10 rounds on %d rows" n;
           input = (fun () -> n);
           serial = solve Loop.serial;
           versions = Loop.versions solve;
           check = Kernel.equal (Printf.sprintf "%.9f");
           note = Printf.sprintf "norm %.9f";
           picture = None;
         })
  in
  { name = "spectralnorm"; doc = "spectral norm of a matrix, by the power method"; prepare }
