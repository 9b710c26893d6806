open Drover_machine
open Drover_sim_programs

type estimate = Low | Middle | High

type settings = {
  machine : int -> Model.t;
  processors : int list;
  scaling : Program.scaling;
  estimates : estimate list;
  seed : int;
  neighbours : int;
}

type run = {
  processors : int;
  estimate : estimate;
  sized : Program.sized;
  measured : (Measure.t, string) result;
}

type t = { program : Program.t; runs : run list }

let of_estimate = function Low -> Model.low | Middle -> Fun.id | High -> Model.high
let name_of_estimate = function Low -> "low" | Middle -> "middle" | High -> "high"

let of_program (s : settings) program =
  let run (processors, estimate) =
    let sized = Program.on ~processors s.scaling program in
    let model = of_estimate estimate (s.machine processors) in
    let measured =
      match Measure.run ~seed:s.seed ~neighbours:s.neighbours model sized with
      | m -> Ok m
      | exception Failure why -> Error why
    in
    { processors; estimate; sized; measured }
  in
  let on processors = List.map (fun estimate -> (processors, estimate)) s.estimates in
  { program; runs = List.map run (List.concat_map on s.processors) }

let log (s : settings) program ~processors =
  Measure.log ~seed:s.seed ~neighbours:s.neighbours (s.machine processors)
    (Program.on ~processors s.scaling program)

let speed_up r =
  let of_measured (m : Measure.t) = float r.sized.work /. float m.elapsed in
  Option.map of_measured (Result.to_option r.measured)

let is_right t =
  let is_right r = match r.measured with Ok m -> m.Measure.is_right | Error _ -> false in
  List.for_all is_right t.runs
