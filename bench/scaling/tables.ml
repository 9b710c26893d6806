open Drover_show
open Drover_sim_programs

let processors (t : Study.t) =
  List.sort_uniq Int.compare (List.map (fun (r : Study.run) -> r.processors) t.runs)

let on n (t : Study.t) = List.filter (fun (r : Study.run) -> r.processors = n) t.runs

let measured (t : Study.t) =
  let of_run (r : Study.run) = Option.map (fun m -> (r, m)) (Result.to_option r.measured) in
  List.filter_map of_run t.runs

let part (m : Measure.t) time = float time /. float (m.elapsed * m.workers)
let percent m time = Show.percent (part m time)

(* Speed-ups *)

let speed_up_cell runs =
  match List.map Study.speed_up runs with
  | [ Some one ] -> Show.digits one
  | all when List.for_all Option.is_some all ->
      let all = List.sort Float.compare (List.filter_map Fun.id all) in
      Show.digits (List.hd all) ^ "-" ^ Show.digits (List.nth all (List.length all - 1))
  | _ -> "no end"

(* What workers do instead of the program's own work, and the lines of the cache at which they stall *)
let costs (m : Measure.t) =
  let line (l : Measure.line) = (l.name, l.stall) in
  [ ("searching", m.total.spun); ("collecting", m.total.collected); ("queued", m.total.queued) ]
  @ List.map line m.lines

(* On the most processors, by the middle estimate *)
let dearest (t : Study.t) =
  let runs = measured t in
  let most = List.fold_left (fun most ((r : Study.run), _) -> Int.max most r.processors) 1 runs in
  match List.filter (fun ((r : Study.run), _) -> r.processors = most) runs with
  | [] -> [ ""; "" ]
  | runs ->
      let _, m = List.nth runs (List.length runs / 2) in
      let dearer (_, a) (_, b) = Int.compare b a in
      let name, time = List.hd (List.stable_sort dearer (costs m)) in
      let share time = Printf.sprintf "%.0f%%" (100. *. part m time) in
      [ share m.total.blocked; name ^ " " ^ share time ]

let speed_ups ~title studies : Table.t =
  let columns = match studies with [] -> [] | first :: _ -> processors first in
  let row (t : Study.t) =
    (t.program.name :: List.map (fun n -> speed_up_cell (on n t)) columns) @ dearest t
  in
  {
    title;
    notes =
      [
        "The work of the program, on one processor, over the time that it took. For the most \
         processors, what part of their time the workers were parked, and at what else they were \
         most, beside that work.";
      ];
    header = ("processors" :: List.map string_of_int columns) @ [ "parked"; "most else" ];
    rows = List.map row studies;
  }

(* What one program does *)

let name_of_run (r : Study.run) =
  match r.estimate with
  | Middle -> string_of_int r.processors
  | (Low | High) as e -> Printf.sprintf "%d, %s" r.processors (Study.name_of_estimate e)

let time (t : Study.t) : Table.t =
  let row ((r : Study.run), (m : Measure.t)) =
    let parts = [ m.total.busy; m.total.stalled; m.total.spun; m.total.blocked ] in
    let parts = parts @ [ m.total.collected; m.total.queued ] in
    let counts = [ m.steals; m.steals_in_vain; m.woken; m.collections ] in
    let accesses = float m.accesses /. float r.sized.operations in
    (name_of_run r :: Show.seconds (float m.elapsed *. 1e-9) :: List.map (percent m) parts)
    @ List.map string_of_int counts
    @ [ Show.digits accesses ]
  in
  {
    title = t.program.name ^ ": " ^ t.program.doc;
    notes =
      [
        "Of the workers' time: at the program's own work; stalled at lines that another processor \
         had; searching; parked; in collections; waiting for a processor. The rest is the \
         library's code. Accesses are those to such lines, an operation.";
      ];
    header =
      [ "processors"; "time"; "busy"; "stalled"; "spun"; "parked"; "collected"; "queued" ]
      @ [ "steals"; "in vain"; "woken"; "collections"; "accesses" ];
    rows = List.map row (measured t);
  }

let cost name (m : Measure.t) =
  match List.find_opt (fun (l : Measure.line) -> l.name = name) m.lines with
  | Some line -> part m line.stall
  | None -> 0.

let lines (t : Study.t) : Table.t =
  let runs = measured t in
  let names (_, (m : Measure.t)) = List.map (fun (l : Measure.line) -> l.name) m.lines in
  let most name = List.fold_left (fun most (_, m) -> Float.max most (cost name m)) 0. runs in
  let dearer a b = Float.compare (most b) (most a) in
  let all = List.sort_uniq String.compare (List.concat_map names runs) in
  let row name = name :: List.map (fun (_, m) -> Show.percent (cost name m)) runs in
  {
    title = t.program.name ^ ": the lines that cost most";
    notes = [ "Of the workers' time, for how long they were stalled at them." ];
    header = "processors" :: List.map (fun (r, _) -> name_of_run r) runs;
    rows = List.map row (List.take 5 (List.stable_sort dearer all));
  }

let failures (t : Study.t) =
  let of_run (r : Study.run) =
    let says why =
      Some (Printf.sprintf "%s on %s processors: %s" t.program.name (name_of_run r) why)
    in
    match r.measured with
    | Ok { is_right = true; _ } -> None
    | Ok { is_right = false; _ } -> says "the result is wrong"
    | Error why -> says why
  in
  List.filter_map of_run t.runs
