open Drover_show

let noted note = if note = "" then [] else [ note ]

let missing_domains (o : Outcome.t) =
  let short (r : Outcome.row) = r.obtained < r.domains in
  match List.find_opt short o.rows with
  | None -> []
  | Some r -> [ Printf.sprintf "only %d of %d domains could be had" r.obtained r.domains ]

let pauses (p : Gc_pauses.t) =
  let lower_bound = if p.lost > 0 then ">" else "" in
  List.map (( ^ ) lower_bound) [ Show.seconds p.largest; Show.seconds p.p99; Show.percent p.share ]

let contended (o : Outcome.t) =
  match o.others with
  | Some part when part > 0.05 ->
      [ Printf.sprintf "not quiet: other programs used %.0f%% of the processors" (100. *. part) ]
  | _ -> []

let spread (r : Outcome.row) =
  Show.percent (Stats.spread r.seconds) ^ if Outcome.is_noisy r then " ?" else ""

let brief o (r : Outcome.row) =
  [
    r.version;
    string_of_int r.domains;
    Show.seconds r.seconds.median;
    Show.times (Outcome.vs_serial r);
    Show.times (Outcome.vs_self o r);
    spread r;
  ]

let brief_header = [ "version"; "domains"; "time"; "vs serial"; "vs self"; "spread" ]
let last l = List.nth l (List.length l - 1)

let noise (o : Outcome.t) =
  if List.exists Outcome.is_noisy o.rows then
    [ "a question mark: the samples differ too much for the figure to be worth much" ]
  else []

let notes (o : Outcome.t) = (o.about :: noted o.note) @ missing_domains o @ contended o @ noise o

let of_outcome (o : Outcome.t) : Table.t =
  let row r = brief o r @ [ last (pauses r.pauses) ] in
  {
    title = o.kernel;
    notes = notes o;
    header = brief_header @ [ "GC share" ];
    rows = List.map row o.rows;
  }

let in_full (o : Outcome.t) : Table.t =
  let heap (r : Outcome.row) =
    if r.minor_heap_words = 0 then "-" else Printf.sprintf "%dk" (r.minor_heap_words / 1024)
  in
  let row (r : Outcome.row) = brief o r @ pauses r.pauses @ [ heap r ] in
  {
    title = o.kernel;
    notes = notes o;
    header = brief_header @ [ "GC max"; "GC p99"; "GC share"; "minor heap" ];
    rows = List.map row o.rows;
  }

let terms =
  [
    ("version", "serial is plain OCaml; the others solve the same problem in parallel");
    ("domains", "how many domains work, each on a core of its own if there is one");
    ("time", "the median of the samples; the versions take turns");
    ("vs serial", "how many times faster than the serial program");
    ("vs self", "how many times faster than the same version on the fewest domains");
    ( "spread",
      "by how much the middle half of the samples differ, as a part of the median; with a question \
       mark above a tenth, where the figure is worth little" );
    ("GC max", "the longest time that a domain stood still for the garbage collector");
    ("GC p99", "99 of 100 of these pauses were at most that long");
    ("GC share", "the part of all domains' time that went into pauses; > where some were not seen");
    ( "minor heap",
      "words of the first domain's minor heap when the last sample ended; a pool's grow while \
       collections come fast" );
    ( "drover@1",
      "Drover's speed-up over the serial program on one domain: 1.00x if it costs nothing" );
  ]

let distinct names =
  List.rev (List.fold_left (fun seen n -> if List.mem n seen then seen else n :: seen) [] names)

let goal : Probe.goal option -> string = function
  | None -> ""
  | Some (At_most x) -> "at most " ^ Show.digits x
  | Some (At_least x) -> "at least " ^ Show.digits x

let figure (f : Probe.figure) =
  let verdict = match Probe.met f with None -> "" | Some true -> "met" | Some false -> "missed" in
  [ f.label; Show.digits f.value; f.unit_; goal f.goal; verdict ]

let value (f : Probe.figure) =
  match f.unit_ with
  | "x" -> Show.times f.value
  | unit_ when unit_ = Probe.as_fast -> Printf.sprintf "%.2f" f.value
  | _ -> Show.digits f.value

(* A row for each label, and a column for each of [columns]; [marks] where a goal is missed. *)
let grid ~marks columns figures =
  let cell label column =
    let is_it (f : Probe.figure) = f.label = label && f.column = Some column in
    match List.find_opt is_it figures with
    | None -> "-"
    | Some f -> if marks && Probe.met f = Some false then value f ^ " !" else value f
  in
  let labels = distinct (List.map (fun (f : Probe.figure) -> f.label) figures) in
  List.map (fun label -> label :: List.map (cell label) columns) labels

let missed (o : Probe.outcome) =
  if List.exists (fun f -> Probe.met f = Some false) o.figures then
    [ "an exclamation mark: not what is promised" ]
  else []

let of_probe ?(marks = true) (o : Probe.outcome) : Table.t =
  match distinct (List.filter_map (fun (f : Probe.figure) -> f.column) o.figures) with
  | [] ->
      {
        title = o.probe;
        notes = [ o.about ];
        header = [ "figure"; "value"; "unit"; "goal"; "" ];
        rows = List.map figure o.figures;
      }
  | columns ->
      {
        title = o.probe;
        notes = o.about :: (if marks then missed o else []);
        header = "" :: columns;
        rows = grid ~marks columns o.figures;
      }

(* The columns of the summary: a version and a number of domains, against the serial program. *)

let speed_up ~version ~domains o = Option.map Outcome.vs_serial (Outcome.find o ~version ~domains)
let cell o ~version ~domains = Option.fold ~none:"-" ~some:Show.times (speed_up ~version ~domains o)

let summary_row ~domains (o : Outcome.t) =
  let serial =
    match Outcome.find o ~version:Outcome.serial ~domains:1 with
    | Some r -> Show.seconds r.seconds.median
    | None -> "-"
  in
  [
    o.kernel;
    serial;
    cell o ~version:"drover" ~domains:1;
    cell o ~version:"drover" ~domains;
    cell o ~version:"domainslib" ~domains;
  ]

let geometric_mean = function
  | [] -> None
  | ratios -> Some (Stats.geometric_mean (Array.of_list ratios))

(* The mean, and the least, of a column of the summary over all kernels that have it. *)
let over_all os name of_column ~domains =
  let cell ~version ~domains =
    let column = List.filter_map (speed_up ~version ~domains) os in
    Option.fold ~none:"-" ~some:Show.times (of_column column)
  in
  [
    name;
    "";
    cell ~version:"drover" ~domains:1;
    cell ~version:"drover" ~domains;
    cell ~version:"domainslib" ~domains;
  ]

let least = function [] -> None | x :: xs -> Some (List.fold_left Float.min x xs)

let disturbed os =
  let say part =
    Printf.sprintf "not a measurement: other programs used %.0f%% of this machine" (100. *. part)
  in
  Option.map say (Outcome.disturbance os)

let summary os : Table.t =
  let domains = Outcome.most_domains os in
  let at name = Printf.sprintf "%s@%d" name domains in
  {
    title = "summary";
    notes =
      "speed-ups over the serial program, on one domain and on several (more is better)"
      :: Option.to_list (disturbed os);
    header = [ "kernel"; "serial"; "drover@1"; at "drover"; at "domainslib" ];
    rows =
      (List.map (summary_row ~domains) os
      @
      if List.length os < 2 then []
      else
        [ over_all os "geometric mean" geometric_mean ~domains; over_all os "least" least ~domains ]
      );
  }

let in_a_sentence os =
  let os = Outcome.main os in
  let domains = Outcome.most_domains os in
  let mean ~domains = geometric_mean (List.filter_map (speed_up ~version:"drover" ~domains) os) in
  match (mean ~domains, mean ~domains:1) with
  | Some faster, Some alone when domains > 1 ->
      let count = List.length os in
      let sentence =
        Printf.sprintf
          "On this machine %d domains run %d program%s %s as fast as serial OCaml; one domain \
           takes %s the time."
          domains count
          (if count = 1 then "" else "s")
          (Show.times faster)
          (Show.times (1. /. alone))
      in
      Some
        (match disturbed os with
        | None -> sentence
        | Some why -> Printf.sprintf "%s. %s" (String.capitalize_ascii why) sentence)
  | _ -> None
