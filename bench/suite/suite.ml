open Drover_harness
open Drover_show

type request = {
  entries : Registry.entry list;
  params : Kernel.params;
  plan : Measure.plan;
  busy : int;
  from : string list;
  json : string option;
  picture : string option;
  update : string list;
  beside : string list;
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
  let outcome = { outcome with kind = Registry.kind k } in
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
  let date = Unix.gmtime (Unix.time ()) in
  [
    ("command", String.concat " " ("bench" :: List.tl (Array.to_list Sys.argv)));
    ("date", Printf.sprintf "%d-%02d-%02d" (1900 + date.tm_year) (1 + date.tm_mon) date.tm_mday);
    ("drover", Version.number);
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
  List.iter (Option.iter has_a_place) [ request.json; request.html; request.picture ];
  let in_dir dir = if Sys.file_exists dir then Filename.concat dir "picture" else dir in
  Option.iter (fun dir -> has_a_place (in_dir dir)) request.out;
  before

(* Figures that will be worth little: to be known before they are waited for. *)
let warn request (machine : Machine.t) =
  let most = List.fold_left Int.max 1 request.plan.domains in
  let warning = Fmt.epr "bench: @[%a@]@." Fmt.text in
  if most > machine.cores then
    warning
      (Printf.sprintf
         "%d domains on %d processors: whatever takes more domains than processors is slower, \
          often much slower."
         most machine.cores);
  match if request.params.size = Tiny then None else Machine.busy_now () with
  | Some part when part > 0.1 ->
      warning
        (Printf.sprintf
           "other programs use %.0f%% of the processors now: the figures will be noise. Measure on \
            a quiet machine."
           (100. *. part))
  | _ -> ()

(* What there is so far: whoever loses patience has something all the same. *)
let save request results =
  Option.iter (fun file -> Store.save file results) request.json;
  Option.iter (fun file -> Report.save file results) request.html

let measure request progress =
  let machine = Machine.here () in
  warn request machine;
  Busy.start request.busy;
  Fmt.pr "@[%a@]@.@." Fmt.text (Fmt.str "%a" Machine.pp machine);
  let entries = in_registry_order request.entries in
  Progress.begins progress (List.length entries);
  let measure_one (results : Store.t) entry : Store.t =
    Progress.next progress;
    let results : Store.t =
      match (entry : Registry.entry) with
      | Kernel k -> { results with kernels = results.kernels @ [ kernel request progress k ] }
      | Probe p -> { results with probes = results.probes @ [ probe request progress p ] }
    in
    save request results;
    results
  in
  let nothing : Store.t = { machine; parameters = parameters request; kernels = []; probes = [] } in
  List.fold_left measure_one nothing entries

let read_all files =
  let results = List.map (fun file -> or_bad_input (Store.read file)) files in
  List.fold_left Store.merge (List.hd results) (List.tl results)

(* Files that are made of all results. *)
let draw request (results : Store.t) =
  save request results;
  Option.iter (fun file -> or_bad_input (Figures.save_picture file results)) request.picture;
  let beside = List.map (fun file -> or_bad_input (Store.read file)) request.beside in
  List.iter (fun file -> or_bad_input (Figures.update file ~beside results)) request.update

(* Whether something is slower than before. *)
let compare results before =
  let now = Compare.of_results results in
  Fmt.pr "%a" Table.pp (Compare.table ~before now);
  Compare.is_regression (Compare.changes ~before now)

let run request =
  let progress = Progress.on_terminal () in
  match
    let before = check request in
    let results = if request.from = [] then measure request progress else read_all request.from in
    if results.kernels <> [] then Fmt.pr "%a" Table.pp (Tables.summary results.kernels);
    draw request results;
    Option.iter (Fmt.pr "%s@.") (Tables.in_a_sentence results.kernels);
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
