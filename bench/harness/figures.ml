open Drover_show

let picture (t : Store.t) os = Chart.speedups ~machine:(Machine.name t.machine) os

let save_picture file (t : Store.t) =
  match picture t (Outcome.main t.kernels) with
  | None -> Error (file ^ ": there is no program that was measured on several domains")
  | Some picture ->
      let svg = Picture.to_svg picture ~style:Html.picture_style in
      Ok (Destination.write file (fun oc -> output_string oc svg))

(* Tables *)

(* Columns: what they are called, the version, and the number of domains. *)
let columns ~domains os =
  let on name = Printf.sprintf "%s, %d domains" name domains in
  let all =
    [
      ("serial, same heap", Outcome.same_heap, 1);
      ("Drover, 1 domain", "drover", 1);
      (on "Drover", "drover", domains);
      (on "Domainslib", "domainslib", domains);
      (on "Domainslib with the best chunk", "domainslib, best chunk", domains);
    ]
  in
  let is_there (_, version, domains) =
    List.exists (fun o -> Outcome.find o ~version ~domains <> None) os
  in
  List.filter is_there all

(* How much of the time of Drover's domains went into collections, if that was measured. *)
let collecting ~domains (o : Outcome.t) =
  match Outcome.find o ~version:"drover" ~domains with
  | Some { pauses; _ } when pauses <> Gc_pauses.none -> Some (Show.percent pauses.share)
  | _ -> None

let speed_up (o : Outcome.t) (_, version, domains) =
  match Outcome.find o ~version ~domains with
  | None -> Odoc.none
  | Some row -> Show.times (Outcome.vs_serial row) ^ if Outcome.is_noisy row then " ?" else ""

let serial_time (o : Outcome.t) =
  let serial = Option.get (Outcome.find o ~version:Outcome.serial ~domains:1) in
  Show.seconds serial.seconds.median

let of_outcomes ~what os =
  let domains = Outcome.most_domains os in
  let columns = columns ~domains os in
  let is_known o = collecting ~domains o <> None in
  let pauses of_all = if List.exists is_known os then [ of_all () ] else [] in
  let faster (o : Outcome.t) =
    match Outcome.find o ~version:"drover" ~domains with
    | Some row -> Outcome.vs_serial row
    | None -> 0.
  in
  let row (o : Outcome.t) =
    (o.kernel :: serial_time o :: List.map (speed_up o) columns)
    @ pauses (fun () -> Option.value (collecting ~domains o) ~default:Odoc.none)
  in
  let header = what :: "serial" :: List.map (fun (name, _, _) -> name) columns in
  Odoc.table
    (header @ pauses (fun () -> Printf.sprintf "collecting, Drover, %d domains" domains))
    (List.map row (List.sort (fun a b -> Float.compare (faster b) (faster a)) os))

let has_columns (p : Probe.outcome) =
  List.exists (fun (f : Probe.figure) -> f.column <> None) p.figures

(* A table of each probe whose figures have columns, under a heading to which other pages link, and
   one of all other figures. *)
let of_probes probes =
  let tables, lists = List.partition has_columns probes in
  let table (p : Probe.outcome) =
    let t = Tables.of_probe ~marks:false p in
    let dash cell = if cell = "-" then Odoc.none else cell in
    (* In a reference, what stands before a hyphen is a kind. *)
    let anchor = String.map (function '-' -> '_' | c -> c) p.probe in
    Printf.sprintf "{2:%s [bench %s]}\n\n%s.\n\n%s" anchor p.probe (String.capitalize_ascii p.about)
      (Odoc.table t.header (List.map (List.map dash) t.rows))
  in
  let rows (p : Probe.outcome) =
    List.map (fun (f : Probe.figure) -> [ f.label; Show.digits f.value ^ " " ^ f.unit_ ]) p.figures
  in
  let list = function [] -> [] | rows -> [ Odoc.table [ "what"; "" ] rows ] in
  String.concat "\n" (list (List.concat_map rows lists) @ List.map table tables)

(* Sentences *)

let over_all os ~version ~domains =
  let row o = Option.map Outcome.vs_serial (Outcome.find o ~version ~domains) in
  Array.of_list (List.filter_map row os)

(* Those for which Domainslib is faster, and those for which it is level, to a twentieth. *)
let faster_and_level os ~domains =
  let ratio o =
    let on version = Option.map Outcome.vs_serial (Outcome.find o ~version ~domains) in
    match (on "drover", on "domainslib") with
    | Some drover, Some domainslib -> domainslib /. drover
    | _ -> 0.
  in
  let ahead = List.filter (fun o -> ratio o > 0.95) os in
  let faster, level = List.partition (fun o -> ratio o > 1.05) ahead in
  let names os =
    match os with
    | [] -> "none"
    | _ -> String.concat ", " (List.map (fun (o : Outcome.t) -> o.kernel) os)
  in
  (names faster, names level)

let mean speedups = Show.times (Stats.geometric_mean speedups)

(* What larger minor heaps alone are worth. *)
let heaps os =
  match over_all os ~version:Outcome.same_heap ~domains:1 with
  | [||] -> ""
  | serial ->
      Printf.sprintf
        "\n\
         Drover also gives programs larger minor heaps: with these alone, %d of the serial \
         programs run %s as fast."
        (Array.length serial) (mean serial)

let sentence (t : Store.t) =
  let os = Outcome.main t.kernels in
  let domains = Outcome.most_domains os in
  let all version domains = over_all os ~version ~domains in
  let drover = all "drover" domains in
  let faster, level = faster_and_level os ~domains in
  let not_quiet =
    Option.fold (Tables.disturbed os) ~none:"" ~some:(fun why ->
        String.capitalize_ascii why ^ ".\n")
  in
  not_quiet
  ^ Printf.sprintf
      "On %d cores of an %s, %d programs run %s as fast with Drover as their serial versions\n\
       (geometric mean; from %s to %s), and %s as fast with Domainslib.\n\
       Domainslib is faster on %s, and as fast, within a twentieth, on %s.\n\
       On one core, the Drover versions run %s as fast as the serial ones.%s\n"
      domains (Machine.name t.machine) (Array.length drover) (mean drover)
      (Show.times (Stats.minimum drover))
      (Show.times (Stats.quantile 1. drover))
      (mean (all "domainslib" domains))
      faster level
      (mean (all "drover" 1))
      (heaps os)

let session (t : Store.t) =
  let parameter name = Option.value (List.assoc_opt name t.parameters) ~default:"-" in
  Printf.sprintf
    "Medians of [bench --size %s --runs %s], %s, Drover %s, from [bench/figures/figures.json]. \
     Speed-ups are over the serial program; a question mark stands where even the middle half of \
     the samples differ by more than a tenth, a dash where nothing was measured, or the heap did \
     not grow.\n"
    (parameter "size") (parameter "runs") (parameter "date") (parameter "drover")

(* What stands between the marks *)

let in_readme (t : Store.t) =
  let about =
    "Dots: how much faster than serial OCaml each program is with Drover and Domainslib"
  in
  Printf.sprintf "![%s](bench/figures/speedup.svg)\n\n%s" about (sentence t)

let in_manual ~beside (t : Store.t) =
  let of_kind what os = if os = [] then None else Some (of_outcomes ~what os) in
  let inline picture = "{%html:" ^ Picture.to_svg picture ~style:Html.picture_style ^ "%}\n" in
  let part title table = Option.fold table ~none:"" ~some:(Printf.sprintf "\n{1 %s}\n\n%s" title) in
  String.concat ""
    [
      Printf.sprintf "\n%s\n%s\n" (sentence t) (session t);
      Option.fold (picture t (Outcome.main t.kernels)) ~none:"" ~some:inline;
      part "Programs" (of_kind "program" (Outcome.programs t.kernels));
      part "Kernels" (of_kind "kernel" (Outcome.kernels t.kernels));
      part "Loops and forks" (of_kind "loop" (Outcome.loops t.kernels));
      part "Costs" (if t.probes = [] then None else Some (of_probes t.probes));
      part "Beside other programs" (Crowded.section (t :: beside));
      "\n";
    ]

let opening = "<!-- figures -->"
let closing = "<!-- end of figures -->"

let marks file =
  let line mark =
    if Filename.check_suffix file ".mld" then "{%html:" ^ mark ^ "%}\n" else mark ^ "\n"
  in
  (line opening, line closing)

let find text part =
  let n = String.length part in
  let rec go i =
    if i + n > String.length text then None
    else if String.sub text i n = part then Some i
    else go (i + 1)
  in
  go 0

let update file ~beside (t : Store.t) =
  let text = In_channel.with_open_bin file In_channel.input_all in
  let opening, closing = marks file in
  match (find text opening, find text closing) with
  | Some start, Some finish when start < finish ->
      let before = String.sub text 0 (start + String.length opening) in
      let after = String.sub text finish (String.length text - finish) in
      let figures =
        if Filename.check_suffix file ".mld" then in_manual ~beside t else in_readme t
      in
      Ok (Destination.write file (fun oc -> output_string oc (before ^ figures ^ after)))
  | _ -> Error (Printf.sprintf "%s: it lacks the lines %S and %S" file opening closing)
