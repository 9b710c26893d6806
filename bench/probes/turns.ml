open Drover_harness
open Drover_show

let medians times versions =
  let once f = snd (Clock.time f) in
  let rounds = Array.init times (fun _ -> List.map once versions) in
  List.mapi (fun i _ -> Stats.median (Array.map (fun round -> List.nth round i) rounds)) versions
