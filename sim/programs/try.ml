open Drover_machine
open Drover_sim_programs

let ps = ref [ 1; 2; 4; 8; 16; 32; 64; 128 ]
let only = ref ""
let weak = ref false
let model = ref "server"
let seed = ref 1
let neighbours = ref 0
let workers = ref 0

let contains text part =
  let n = String.length part in
  let rec from i = i + n <= String.length text && (String.sub text i n = part || from (i + 1)) in
  from 0

let model_of p =
  match !model with
  | "server" -> Model.server p
  | "virtual" -> Model.virtual_ p
  | "two" -> Model.(with_processors p two_sockets)
  | "laptop" -> Model.(with_processors p laptop)
  | _ -> failwith "model"

let show of_p =
  let p1 : Programs.t = of_p 1 in
  if !only = "" || contains p1.name !only then begin
    Printf.printf "\n%s: work %.2f ms\n%!" p1.name (float p1.work *. 1e-6);
    print_endline
      "    P   time/us speed-up busy% stall%  spin%  gc%  queued% blocked%  wakes gcs turns/k \
       cpu/s counters; lines";
    List.iter
      (fun p ->
        let prog : Programs.t = of_p p in
        match
          Measure.run ~seed:!seed ~neighbours:!neighbours
            ?workers:(if !workers > 0 then Some !workers else None)
            (model_of p) prog
        with
        | exception Failure text -> Printf.printf "%5d FAILED %s\n%!" p text
        | (m : Measure.t) ->
            let all = float (m.elapsed * m.workers) in
            let share x = 100. *. float x /. all in
            Printf.printf
              "%5d %9.1f %8.2f %5.1f %5.1f %5.1f %5.1f %5.1f %5.1f %5d %4d %6d %5.2f %s; %s%s\n%!" p
              (float m.elapsed /. 1000.)
              (float prog.work /. float m.elapsed)
              (share m.total.busy) (share m.total.stalled) (share m.total.spun)
              (share m.total.collected) (share m.total.queued) (share m.total.blocked) m.woken
              m.collections (m.turns / 1000) m.cost
              (String.concat " " (List.map (fun (n, c) -> Printf.sprintf "%s=%d" n c) m.counters))
              (String.concat " "
                 (List.filteri (fun i _ -> i < 4) m.lines
                 |> List.map (fun (l : Measure.line) ->
                     Printf.sprintf "%s(%d,%d,%d)" l.name (l.stall / 1000) l.misses (l.waits / 1000))
                 ))
              (if m.is_right then "" else " WRONG"))
      !ps
  end

let () =
  Arg.parse
    [
      ("-p", Arg.String (fun s -> ps := List.map int_of_string (String.split_on_char ',' s)), "");
      ("--only", Arg.Set_string only, "");
      ("--weak", Arg.Set weak, "");
      ("--model", Arg.Set_string model, "");
      ("--seed", Arg.Set_int seed, "");
      ("--workers", Arg.Set_int workers, "");
      ("--neighbours", Arg.Set_int neighbours, "");
    ]
    ignore "";
  List.iter show (if !weak then Programs.weak else List.map (fun p _ -> p) Programs.fixed)
