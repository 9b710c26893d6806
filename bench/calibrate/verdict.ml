(* Verdict: how near a simulated run comes to the real one. *)

open Drover_show

(* How far the speed-ups may be apart; regions behind stretches depend on wake-ups, whose time is the system's, as
   are the slices that a neighbour has. *)
let close = 0.15
let loose = 0.3
let bound name = if String.starts_with ~prefix:"regions" name then loose else close

let is_within bound t =
  let ratio = Agreement.ratio t in
  1. /. (1. +. bound) <= ratio && ratio <= 1. +. bound

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

let header = [ "program"; "real"; "virtual"; "speed-up"; "virtual"; "ratio"; "" ]

let row ~is_near (t : Agreement.t) =
  let time (t : Agreement.times) = Show.seconds t.one in
  [
    t.name;
    time t.real;
    time t.simulated;
    Show.digits (Agreement.speed_up t.real);
    Show.digits (Agreement.speed_up t.simulated);
    Printf.sprintf "%+.0f%%" (100. *. (Agreement.ratio t -. 1.));
    (if is_near t then "" else "apart");
  ]

let noise (t : Agreement.t) =
  if Drover_harness.Disturbance.is_disturbed t.share then
    Printf.sprintf "%.0f%%" (100. *. Drover_harness.Disturbance.total t.share)
  else ""

let programs all : Table.t =
  let is_near (t : Agreement.t) = is_within (bound t.name) t in
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
    header = header @ [ "noise" ];
    rows = List.map (fun t -> row ~is_near t @ [ noise t ]) all;
  }

let beside_one all : Table.t =
  let is_near = is_within loose in
  let near = List.length (List.filter is_near all) in
  {
    title = "the same beside a busy process";
    notes =
      [
        Printf.sprintf
          "With more work, and with as many workers as before. Of %d programs %d are near: within \
           30%%."
          (List.length all) near;
      ];
    header;
    rows = List.map (row ~is_near) all;
  }
