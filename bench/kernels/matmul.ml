open Drover_harness

(* Small integers, so that sums are exact in every order. *)
let matrix n seed =
  Array.init n (fun i -> Array.init n (fun j -> float ((((i * 7) + j) * seed mod 11) - 5)))

(* Row [i] of the product, as a sum of the rows of [b]: every access runs along a row. *)
let row a b i =
  let ai = a.(i) in
  let n = Array.length b.(0) in
  let sum = Array.make n 0. in
  for k = 0 to Array.length b - 1 do
    let x = ai.(k) and bk = b.(k) in
    for j = 0 to n - 1 do
      sum.(j) <- sum.(j) +. (x *. bk.(j))
    done
  done;
  sum

let product (for_each : Loop.t) (a, b) =
  let n = Array.length a in
  let c = Array.make n [||] in
  for_each ~start:0 ~finish:(n - 1) (fun i -> c.(i) <- row a b i);
  c

let trace c =
  let sum = ref 0. in
  Array.iteri (fun i row -> sum := !sum +. row.(i)) c;
  !sum

let kernel : Kernel.t =
  let prepare (p : Kernel.params) =
    let n = Kernel.by_size p.size ~tiny:17 ~quick:500 ~full:1000 in
    let a = matrix n 3 and b = matrix n 5 in
    Ok
      (Kernel.Problem
         {
           about = Printf.sprintf "%d x %d floats" n n;
           input = (fun () -> (a, b));
           serial = product Loop.serial;
           versions = Loop.versions product;
           check = Kernel.equal (fun c -> Printf.sprintf "a matrix of trace %.0f" (trace c));
           note = (fun c -> Printf.sprintf "trace %.0f" (trace c));
           picture = None;
         })
  in
  { name = "matmul"; doc = "product of two dense matrices"; prepare }
