(* The price of an Asian call option: the mean of what it pays on random paths of the share. *)

let days = 50

(* What the option pays on one path, in which each day's change is about normal. *)
let payoff rng =
  let price = ref 100. and sum = ref 0. in
  for _ = 1 to days do
    let u = Random.State.float rng 1. and v = Random.State.float rng 1. in
    let normal = sqrt (-2. *. log (1. -. u)) *. cos (2. *. Float.pi *. v) in
    price := !price *. exp ((0.02 *. normal) -. 0.0001);
    sum := !sum +. !price
  done;
  Float.max 0. ((!sum /. float days) -. 100.)

let rng () = Random.State.make [| 1 |]

let serial paths =
  let rng = rng () and sum = ref 0. in
  for _ = 1 to paths do
    sum := !sum +. payoff rng
  done;
  !sum /. float paths

(* Each block of paths has a generator of its own. *)
let drover paths =
  let sum =
    Drover.Rng.reduce (rng ()) paths ~init:0. ~combine:( +. ) (fun rng _ ->
        payoff rng)
  in
  sum /. float paths

(* All workers draw from one generator, as a serial loop does. *)
let drover_shared paths =
  let rng = rng () in
  let sum =
    Drover.parallel_reduce ~start:1 ~finish:paths ~init:0. ~combine:( +. )
      (fun _ -> payoff rng)
  in
  sum /. float paths

(* Other random numbers, so about the same. *)
let check ~expected price =
  if Float.abs (price -. expected) < 0.15 *. expected then Ok ()
  else Error (Printf.sprintf "expected about %f, got %f" expected price)

let kernel ~name ~doc drover =
  Drover_programs.Program.kernel ~name ~doc ~sizes:(5_000, 50_000, 500_000)
    ~about:(Printf.sprintf "%d paths")
    ~input:Fun.id ~check ~show:(Printf.sprintf "%.3f") ~serial ~drover ()

let kernels =
  [
    kernel ~name:"asian" ~doc:"an Asian option: random paths by Rng.reduce"
      drover;
    kernel ~name:"asian-shared"
      ~doc:"the same, but wrong: all workers draw from one generator"
      drover_shared;
  ]
