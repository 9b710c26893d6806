open Drover_harness
open Drover_kernels
open Drover_probes

type entry = Kernel of Kernel.t | Probe of Probe.t
type choice = { name : string; doc : string; entries : entry list }

let kernels = Drover_kernels.All.kernels

let structures =
  [ Map_cells.probe; Table_cells.probe; Queue_cells.probe; Batch_cells.probe; Other_cells.probe ]

(* [Wake] comes last, here and in [probes]: it makes the default pool, which lives until the program ends. *)
let costs =
  [
    Fork_shapes.probe;
    Promises.probe;
    Regions.probe;
    Fairness.probe;
    Map_cells.probe;
    Queue_cells.probe;
    Setup.probe;
    Idle.probe;
    Suspend.probe;
    Wake.probe;
  ]

let probes =
  [
    Fork_shapes.probe;
    Promises.probe;
    Regions.probe;
    Setup.probe;
    Idle.probe;
    Suspend.probe;
    Mutexes.probe;
    Chan.probe;
    Limits.probe;
    Fairness.probe;
    Long.probe;
    Small.probe;
    Sweep.probe;
    Batch_lengths.probe;
  ]
  @ structures @ [ Wake.probe ]

(* Loops are what is small, and shows the library's overhead rather than a program. *)
let kind (k : Kernel.t) : Outcome.kind =
  let small = [ Fib.kernel; Fib.kernel_cutoff; Nbody.kernel_planets ] in
  let loops = small @ For_loops.kernels @ Array_loops.kernels @ Sort.kernels in
  let is_in = List.exists (fun (l : Kernel.t) -> l.name = k.name) in
  if is_in loops then Loop else if is_in Drover_programs.All.kernels then Program else Kernel

let kernel k = Kernel k
let probe p = Probe p
let programs = List.map kernel Drover_programs.All.kernels
let compared = List.map kernel kernels @ programs
let attempts = List.map kernel Attempts.kernels
let entries = compared @ attempts @ List.map probe probes
let name = function Kernel k -> k.name | Probe p -> p.name
let doc = function Kernel k -> k.doc | Probe p -> p.doc

let suite =
  {
    name = "programs";
    doc = "a suite: the programs from word-count to intervals";
    entries = programs;
  }

let all_attempts =
  {
    name = "attempts";
    doc = "a suite: what a new user writes first, from logs-seq to tutorial-sum";
    entries = attempts;
  }

let all_kernels =
  {
    name = "kernels";
    doc = "all that is compared with serial programs: the kernels and the suite";
    entries = compared;
  }

let all_structures =
  {
    name = "structures";
    doc = "shared structures beside their rivals: the probes from map-cells to other-cells";
    entries = List.map probe structures;
  }

let all_costs =
  {
    name = "costs";
    doc = "what the manual quotes of costs: some of the probes from fork-shapes to wake";
    entries = List.map probe costs;
  }

let choices =
  suite :: all_kernels :: all_costs :: all_structures
  :: (if attempts = [] then [] else [ all_attempts ])
  @ List.map (fun e -> { name = name e; doc = doc e; entries = [ e ] }) entries

(* Names that begin as the word does; or else those that are a letter or two away, of long ones three. *)
let near wanted =
  let names = List.map (fun c -> c.name) choices in
  match List.filter (String.starts_with ~prefix:wanted) names with
  | [] ->
      let max_dist word = if String.length word < 7 then String.length word / 3 else 3 in
      String.spellcheck ~max_dist (fun f -> List.iter f names) wanted
  | longer -> longer

let find wanted =
  match List.find_opt (fun c -> c.name = wanted) choices with
  | Some choice -> Ok choice
  | None ->
      let hint =
        match near wanted with
        | [] -> "bench --list has all names"
        | near -> "did you mean " ^ String.concat " or " near ^ "?"
      in
      Error (Printf.sprintf "unknown kernel '%s'; %s" wanted hint)
