(* Agreement: the same programs in real and in virtual time. *)

module Real = Drover_real_programs
module Simulated = Drover_sim_programs
module Model = Drover_machine.Model

(* How programs run: beside so many busy processes, with so many milliseconds of work; and how long a sample
   lasts, which is of several runs. *)
type setting = { neighbours : int; size : int; sample_seconds : float }

let quiet = { neighbours = 0; size = 10; sample_seconds = 0.2 }

(* Work for many slices of the system's *)
let busy = { neighbours = 1; size = 200; sample_seconds = 2. }

exception Wrong_result of string

type times = { one : float; two : float } (* seconds *)

type t = {
  name : string;
  real : times;
  share : Drover_harness.Disturbance.share; (* the worse of both *)
  simulated : times;
}

let speed_up { one; two } = one /. two
let ratio t = speed_up t.simulated /. speed_up t.real

(* Real time *)

let median samples = Drover_show.Stats.median (Array.of_list samples)

let time_once (p : Real.Program.t) (sized : Real.Program.sized) =
  let run = sized.prepare () in
  let (), seconds = Drover_harness.Clock.time run.go in
  if not (run.is_right ()) then raise (Wrong_result p.name);
  seconds

(* Only times of the later half count: what the scheduler measures is of late then. *)
let sample setting (p : Real.Program.t) ~workers () =
  let sized = p.of_size setting.size in
  let rec times spent all =
    if spent >= setting.sample_seconds && List.length all >= 4 then all
    else
      let seconds = time_once p sized in
      times (spent +. seconds) (seconds :: all)
  in
  Drover.Pool.with_pool ~domains:workers (fun pool ->
      Drover.Pool.run pool (fun () ->
          let all = times 0. [] in
          median (List.filteri (fun i _ -> i < List.length all / 2) all)))

let real setting p ~samples =
  let tries = if setting.neighbours = 0 then 4 else 1 in
  let measure workers = Drover_harness.Disturbance.undisturbed ~tries (sample setting p ~workers) in
  (* In turns *)
  let pairs = List.init samples (fun _ -> (measure 1, measure 2)) in
  let worse (a : Drover_harness.Disturbance.share) (b : Drover_harness.Disturbance.share) =
    if Drover_harness.Disturbance.total a >= Drover_harness.Disturbance.total b then a else b
  in
  let share =
    List.fold_left
      (fun all ((_, one), (_, two)) -> worse all (worse one two))
      { others = 0.; waiting = 0. } pairs
  and of_all side = median (List.map (fun pair -> fst (side pair)) pairs) in
  ({ one = of_all fst; two = of_all snd }, share)

(* Virtual time: in processes of its own, which a program can have before it has domains *)

(* With each seed heaps are as full as chance has it: so the mean. *)
let seeds = List.init 9 succ
let mean times = List.fold_left ( +. ) 0. times /. float (List.length times)

let simulated { neighbours; size; _ } (p : Simulated.Program.t) =
  let run workers seed =
    let model = Model.virtual_ 2 in
    let m = Simulated.Measure.run ~seed ~neighbours ~workers model (p.of_size size) in
    float m.elapsed *. 1e-9
  in
  let elapsed workers = mean (List.map (run workers) seeds) in
  { one = elapsed 1; two = elapsed 2 }

let simulated_twin setting (p : Real.Program.t) =
  let is_twin (s : Simulated.Program.t) = s.name = p.name in
  simulated setting (List.find is_twin Simulated.All.programs)

let of_program setting ~samples (p : Real.Program.t) ~simulated =
  let real, share = real setting p ~samples in
  { name = p.name; real; share; simulated }
