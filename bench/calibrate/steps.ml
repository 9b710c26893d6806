(* Steps: what one step of each kind takes, in nanoseconds. *)

module Real = Drover_real_programs
module Simulated = Drover_sim_programs
module Model = Drover_machine.Model

type estimates = { low : float; middle : float; high : float }
type t = { doc : string; real : float; estimates : estimates }

let least = List.fold_left Float.min infinity

let real (p : Real.Program.t) ~samples =
  let sized = p.of_size 1 in
  let once () =
    Drover.Pool.with_pool ~domains:1 (fun pool ->
        Drover.Pool.run pool (fun () ->
            let (), seconds = Drover_harness.Clock.time (sized.prepare ()).go in
            seconds))
  in
  1e9 *. least (List.init samples (fun _ -> once ())) /. float sized.operations

let simulated (p : Simulated.Program.t) estimate =
  let sized = p.of_size 1 in
  let m = Simulated.Measure.run ~workers:1 (estimate (Model.virtual_ 2)) sized in
  float m.elapsed /. float sized.operations

let simulated () =
  let of_program p =
    { low = simulated p Model.low; middle = simulated p Fun.id; high = simulated p Model.high }
  in
  List.map of_program Simulated.Primitives.all

let all ~samples ~simulated =
  List.map2
    (fun (p : Real.Program.t) estimates -> { doc = p.doc; real = real p ~samples; estimates })
    Real.Primitives.all simulated
