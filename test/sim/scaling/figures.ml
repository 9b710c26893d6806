(* figures.exe N: what each program does on N simulated processors, a line for each: its name, whether the
   result was right, the speed-up, the accesses to shared lines an operation, and all other figures. *)

open Drover_machine
open Drover_show
open Drover_sim_programs

let of_line (l : Measure.line) =
  Printf.sprintf "%s %d %d %d %d" l.name l.stall l.misses l.waits l.failures

let others (m : Measure.t) =
  let { World.busy; stalled; spun; collected; queued; blocked } = m.total in
  let times = [ m.elapsed; busy; stalled; spun; collected; queued; blocked ] in
  let counts = [ m.collections; m.woken; m.accesses; m.steals; m.steals_in_vain ] in
  String.concat ", " (List.map string_of_int (times @ counts) @ List.map of_line m.lines)

let print processors (p : Program.t) =
  let sized = Program.on ~processors (Strong 10) p in
  let m = Measure.run (Model.server processors) sized in
  let fields =
    [
      p.name;
      (if m.is_right then "right" else "wrong");
      Show.roughly (float sized.work /. float m.elapsed);
      Show.roughly (float m.accesses /. float sized.operations);
      others m;
    ]
  in
  print_endline (String.concat "\t" fields)

let () = List.iter (print (int_of_string Sys.argv.(1))) All.programs
