(* Simulated: how fast a recorded program is on simulated processors. *)

open Drover_machine
open Drover_sim_replay
open Drover_sim_programs

type row = {
  workers : int;
  low : float; (* the speed-up over one worker, with the high estimates of what things cost *)
  high : float; (* the same, with the low estimates *)
  shares : shares; (* with the high ones *)
}

(* Parts of the workers' time *)
and shares = { working : float; stalled : float; collecting : float; idle : float }

type t = {
  machine : string;
  measured : Drover.Scalability.t; (* the run that was recorded *)
  recorded : Recorded.t;
  serial : float; (* seconds with one worker, by the middle of both estimates *)
  rows : row list;
}

let seeds = [ 1; 2; 3 ]

(* The median of some runs *)
let run (machine : Machine.t) estimate ~workers program =
  let measure seed = Measure.run ~seed ~workers (estimate (machine.model ~workers)) program in
  let faster (a : Measure.t) (b : Measure.t) = Int.compare a.elapsed b.elapsed in
  List.nth (List.sort faster (List.map measure seeds)) (List.length seeds / 2)

let shares (m : Measure.t) =
  let share ns = float ns /. float (m.workers * m.elapsed) in
  let working = share m.total.busy
  and stalled = share m.total.stalled
  and collecting = share m.total.collected in
  { working; stalled; collecting; idle = Float.max 0. (1. -. working -. stalled -. collecting) }

(* How many different ones [make] runs *)
let count ~workers = 1 + List.length workers

(* [report] is called before each. *)
let make ~report (machine : Machine.t) ~workers measured recorded =
  let parallelism = Drover.Scalability.parallelism measured in
  let program = Replay.program recorded ~parallelism in
  let both workers =
    report workers;
    (run machine Model.low ~workers program, run machine Model.high ~workers program)
  in
  let cheap, dear = both 1 in
  let row workers =
    let cheap', dear' = both workers in
    let over (one : Measure.t) (m : Measure.t) = float one.elapsed /. float m.elapsed in
    let low = over dear dear' and high = over cheap cheap' in
    { workers; low = Float.min low high; high = Float.max low high; shares = shares dear' }
  in
  {
    machine = machine.name;
    measured;
    recorded;
    serial = float (cheap.elapsed + dear.elapsed) *. 0.5e-9;
    rows = List.map row workers;
  }
