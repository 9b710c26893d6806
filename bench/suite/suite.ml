open Drover_harness
open Drover_show

type request = {
  entries : Registry.entry list;
  params : Kernel.params;
  plan : Measure.plan;
  busy : int;
  json : string option;
  html : string option;
  out : string option;
  compare : string option;
}

type failure = Bad_input of string | Wrong of string | Slower

exception Failed of failure

let bad_input why = raise (Failed (Bad_input why))
let or_bad_input = function Ok v -> v | Error why -> bad_input why

let in_registry_order chosen =
  List.filter
    (fun e -> List.exists (fun c -> Registry.name c = Registry.name e) chosen)
    Registry.entries

let save_picture dir (name, contents) =
  if not (Sys.file_exists dir) then Sys.mkdir dir 0o755;
  let file = Filename.concat dir name in
  Destination.write file (fun oc -> output_string oc contents);
  Fmt.pr "  picture: %s@.@." file

let kernel request progress (k : Kernel.t) =
  Progress.report progress (k.name ^ ": preparing");
  let problem = or_bad_input (k.prepare request.params) in
  let report = Progress.report progress in
  let outcome, picture = Measure.kernel request.plan ~progress:report ~name:k.name problem in
  Progress.clear progress;
  Fmt.pr "%a" Table.pp (Tables.of_outcome outcome);
  Option.iter (fun dir -> Option.iter (save_picture dir) picture) request.out;
  outcome

let probe request progress (p : Probe.t) =
  Progress.report progress p.name;
  let outcome = Probe.run { size = request.params.size; plan = request.plan } p in
  Progress.clear progress;
  Fmt.pr "%a" Table.pp (Tables.of_probe outcome);
  outcome

let size_name : Kernel.size -> string = function
  | Tiny -> "tiny"
  | Quick -> "quick"
  | Full -> "full"

let parameters request =
  let domains = String.concat "," (List.map string_of_int request.plan.domains) in
  let optional name = Option.fold ~none:[] ~some:(fun v -> [ (name, v) ]) in
  [
    ("domains", domains);
    ("runs", string_of_int request.plan.runs);
    ("size", size_name request.params.size);
    ("busy", string_of_int request.busy);
  ]
  @ optional "minor-heap-words" (Option.map string_of_int request.plan.minor_heap_words)
  @ optional "rle" request.params.rle @ optional "dir" request.params.dir

(* Finds what is wrong with the user's files before anything is measured; what to compare with. *)
let check request =
  let usable : Registry.entry -> unit = function
    | Kernel k -> ignore (or_bad_input (k.prepare request.params) : Kernel.problem)
    | Probe _ -> ()
  in
  let has_a_place file = or_bad_input (Destination.check file) in
  List.iter usable request.entries;
  let before = Option.map (fun file -> or_bad_input (Compare.read file)) request.compare in
  List.iter (Option.iter has_a_place) [ request.json; request.html ];
  let in_dir dir = if Sys.file_exists dir then Filename.concat dir "picture" else dir in
  Option.iter (fun dir -> has_a_place (in_dir dir)) request.out;
  before

let measure request progress =
  let machine = Machine.here () in
  Busy.start request.busy;
  Fmt.pr "%a@.@." Machine.pp machine;
  let measure_one (kernels, probes) : Registry.entry -> _ = function
    | Kernel k -> (kernel request progress k :: kernels, probes)
    | Probe p -> (kernels, probe request progress p :: probes)
  in
  let kernels, probes = List.fold_left measure_one ([], []) (in_registry_order request.entries) in
  let kernels = List.rev kernels and probes = List.rev probes in
  if kernels <> [] then Fmt.pr "%a" Table.pp (Tables.summary kernels);
  { Store.machine; parameters = parameters request; kernels; probes }

(* Whether something is slower than before. *)
let compare results before =
  let now = Compare.of_results results in
  Fmt.pr "%a" Table.pp (Compare.table ~before now);
  Compare.is_regression (Compare.changes ~before now)

let run request =
  let progress = Progress.on_terminal () in
  match
    let before = check request in
    let results = measure request progress in
    Option.iter (fun file -> Store.save file results) request.json;
    Option.iter (fun file -> Report.save file results) request.html;
    Option.fold before ~none:false ~some:(compare results)
  with
  | false -> Ok ()
  | true -> Error Slower
  | exception Failed failure ->
      Progress.clear progress;
      Error failure
  | exception Measure.Wrong_result why ->
      Progress.clear progress;
      Error (Wrong why)
  | exception Sys_error why ->
      Progress.clear progress;
      Error (Bad_input why)
