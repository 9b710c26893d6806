open Drover_harness
module Task = Domainslib.Task

let rec serial n = if n < 2 then n else serial (n - 1) + serial (n - 2)

(* Opaque, as a library's function is: the compiler may not inline it. *)
let pair =
  Sys.opaque_identity (fun f g ->
      let a = f () in
      let b = g () in
      (a, b))

let rec closures n =
  if n < 2 then n
  else
    let a, b = pair (fun () -> closures (n - 1)) (fun () -> closures (n - 2)) in
    a + b

let rec drover n =
  if n < 2 then n
  else
    let a, b = Drover.both (fun () -> drover (n - 1)) (fun () -> drover (n - 2)) in
    a + b

let rec domainslib pool n =
  if n < 2 then n
  else
    let b = Task.async pool (fun () -> domainslib pool (n - 2)) in
    let a = domainslib pool (n - 1) in
    a + Task.await pool b

let rec domainslib_pairs pool n =
  if n < 2 then n
  else
    let a = Task.async pool (fun () -> domainslib_pairs pool (n - 1)) in
    let b = Task.async pool (fun () -> domainslib_pairs pool (n - 2)) in
    Task.await pool a + Task.await pool b

let forks n = serial (n + 1) - 1
let nodes n = (2 * forks n) + 1
let cutoff = 20

let rec drover_cutoff n =
  if n <= cutoff then serial n
  else
    let a, b = Drover.both (fun () -> drover_cutoff (n - 1)) (fun () -> drover_cutoff (n - 2)) in
    a + b

let rec domainslib_cutoff pool n =
  if n <= cutoff then serial n
  else
    let b = Task.async pool (fun () -> domainslib_cutoff pool (n - 2)) in
    let a = domainslib_cutoff pool (n - 1) in
    a + Task.await pool b

let problem about n versions =
  Kernel.Problem
    {
      about;
      input = (fun () -> n);
      serial;
      versions;
      check = Kernel.equal string_of_int;
      note = Printf.sprintf "fib %d = %d" n;
      picture = None;
    }

let kernel : Kernel.t =
  let prepare (p : Kernel.params) =
    let n = Kernel.by_size p.size ~tiny:12 ~quick:31 ~full:34 in
    problem
      (Printf.sprintf "fib %d without a cutoff, %d forks" n (forks n))
      n
      [ Kernel.serial "closures" closures; Kernel.drover drover; Kernel.domainslib domainslib ]
    |> Result.ok
  in
  { name = "fib"; doc = "Fibonacci numbers, a fork at every node"; prepare }

let kernel_cutoff : Kernel.t =
  let prepare (p : Kernel.params) =
    let n = Kernel.by_size p.size ~tiny:22 ~quick:36 ~full:41 in
    problem
      (Printf.sprintf "fib %d, serial from %d down" n cutoff)
      n
      [ Kernel.drover drover_cutoff; Kernel.domainslib domainslib_cutoff ]
    |> Result.ok
  in
  { name = "fib-cutoff"; doc = "Fibonacci numbers, serial from 20 down"; prepare }
