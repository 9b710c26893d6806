(* A parameter sweep that survives its job: started again, it goes on where it stopped. *)

(* The share of points of a grid near the Mandelbrot set's edge, for an
   exponent. *)
let escapes exponent =
  let rec steps z n =
    if n = 200 || Complex.norm2 z > 4. then n
    else
      steps
        (Complex.add
           (Complex.pow z { re = exponent; im = 0. })
           { re = -0.1; im = 0.65 })
        (n + 1)
  in
  float (steps Complex.zero 0) /. 200.

let exponents = Array.init 40 (fun i -> 2. +. (0.05 *. float i))

let sweep journal =
  let shares = Drover_mpi.map ?journal ~retries:2 escapes exponents in
  let best = ref 0 in
  Array.iteri
    (fun i share -> if share > shares.(!best) then best := i)
    shares;
  Printf.printf "of %d exponents, %.2f stays longest\n"
    (Array.length exponents) exponents.(!best)

let () =
  let journal =
    if Array.length Sys.argv > 1 then Some Sys.argv.(1) else None
  in
  Drover_mpi.run (fun () -> sweep journal)
