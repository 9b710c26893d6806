(* Verdict: how near a simulated run comes to the real one. *)

open Drover_show

(* How far the speed-ups may be apart; regions behind stretches depend on wake-ups, whose time is the system's. *)
let bound name = if String.starts_with ~prefix:"regions" name then 0.3 else 0.15

let is_near (t : Agreement.t) =
  let ratio = Agreement.ratio t and bound = 1. +. bound t.name in
  1. /. bound <= ratio && ratio <= bound

let steps all : Table.t =
  let row (s : Steps.t) =
    let { Steps.low; middle; high } = s.estimates in
    s.doc :: List.map Show.digits [ s.real; low; middle; high ]
  in
  {
    title = "nanoseconds for one step, on this machine and on the simulated one";
    notes = [ "Of the simulated machine the low, middle and high estimate." ];
    header = [ "step"; "real"; "low"; "middle"; "high" ];
    rows = List.map row all;
  }

let programs all : Table.t =
  let row (t : Agreement.t) =
    let time (t : Agreement.times) = Show.seconds t.one in
    let is_disturbed = Drover_harness.Disturbance.is_disturbed t.share in
    [
      t.name;
      time t.real;
      time t.simulated;
      Show.digits (Agreement.speed_up t.real);
      Show.digits (Agreement.speed_up t.simulated);
      Printf.sprintf "%+.0f%%" (100. *. (Agreement.ratio t -. 1.));
      (if is_near t then "" else "apart");
      (if is_disturbed then
         Printf.sprintf "%.0f%%" (100. *. Drover_harness.Disturbance.total t.share)
       else "");
    ]
  in
  let near = List.length (List.filter is_near all) in
  {
    title = "two processors, in real and in virtual time";
    notes =
      [
        Printf.sprintf
          "The time of one worker, and the speed-up with two. Of %d programs %d are near: within \
           15%%, and regions behind stretches within 30%%. Noise: what others used of a processor, \
           although samples were repeated."
          (List.length all) near;
      ];
    header = [ "program"; "real"; "virtual"; "speed-up"; "virtual"; "ratio"; ""; "noise" ];
    rows = List.map row all;
  }
