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

let row o (r : Outcome.row) =
  [
    r.version;
    string_of_int r.domains;
    Show.seconds (Stats.median r.samples);
    Show.times (Outcome.vs_serial o r);
    Show.times (Outcome.vs_self o r);
    Show.seconds (Stats.minimum r.samples);
    Show.percent (Stats.spread r.samples);
  ]
  @ pauses r.pauses

let of_outcome (o : Outcome.t) : Table.t =
  {
    title = o.kernel;
    notes = (o.about :: noted o.note) @ missing_domains o @ contended o;
    header =
      [ "version"; "domains"; "time"; "vs serial"; "vs self"; "least"; "spread" ]
      @ [ "GC max"; "GC p99"; "GC share" ];
    rows = List.map (row o) o.rows;
  }

let goal : Probe.goal option -> string = function
  | None -> ""
  | Some (At_most x) -> "at most " ^ Show.digits x
  | Some (At_least x) -> "at least " ^ Show.digits x

let figure (f : Probe.figure) =
  let verdict = match Probe.met f with None -> "" | Some true -> "met" | Some false -> "missed" in
  [ f.label; Show.digits f.value; f.unit_; goal f.goal; verdict ]

let of_probe (o : Probe.outcome) : Table.t =
  {
    title = o.probe;
    notes = [ o.about ];
    header = [ "figure"; "value"; "unit"; "goal"; "" ];
    rows = List.map figure o.figures;
  }

(* The columns of the summary: a version and a number of domains, against the serial program or
   against itself. *)
let most (o : Outcome.t) = List.fold_left (fun n (r : Outcome.row) -> max n r.domains) 1 o.rows

let cell o ~version ~domains f =
  match Outcome.find o ~version ~domains with None -> "-" | Some r -> Show.times (f o r)

let slower o r = 1. /. Outcome.vs_serial o r

let summary_row ~domains (o : Outcome.t) =
  let serial =
    match Outcome.find o ~version:Outcome.serial ~domains:1 with
    | Some r -> Show.seconds (Stats.median r.samples)
    | None -> "-"
  in
  [
    o.kernel;
    serial;
    cell o ~version:"drover" ~domains:1 slower;
    cell o ~version:"drover" ~domains Outcome.vs_serial;
    cell o ~version:"drover" ~domains Outcome.vs_self;
    cell o ~version:"domainslib" ~domains Outcome.vs_serial;
  ]

let geometric_mean = function
  | [] -> None
  | xs -> Some (exp (List.fold_left (fun sum x -> sum +. log x) 0. xs /. float (List.length xs)))

(* The mean, and the least, of a column of the summary over all kernels that have it. *)
let over_all os name of_column ~domains =
  let cell ~version ~domains f =
    let value o = Option.map (f o) (Outcome.find o ~version ~domains) in
    Option.fold ~none:"-" ~some:Show.times (of_column (List.filter_map value os))
  in
  [
    name;
    "";
    cell ~version:"drover" ~domains:1 slower;
    cell ~version:"drover" ~domains Outcome.vs_serial;
    cell ~version:"drover" ~domains Outcome.vs_self;
    cell ~version:"domainslib" ~domains Outcome.vs_serial;
  ]

let least = function [] -> None | x :: xs -> Some (List.fold_left Float.min x xs)

let summary os : Table.t =
  let domains = List.fold_left (fun n o -> max n (most o)) 1 os in
  let at name = Printf.sprintf "%s@%d" name domains in
  {
    title = "summary";
    notes =
      [
        "drover@1/serial is time over time (1.00x: parallelism costs nothing on one domain);";
        "the other columns are speed-ups (more is better)";
      ];
    header =
      [
        "kernel";
        "serial";
        "drover@1/serial";
        at "drover" ^ " vs serial";
        at "drover" ^ " vs self";
        at "domainslib" ^ " vs serial";
      ];
    rows =
      (List.map (summary_row ~domains) os
      @
      if List.length os < 2 then []
      else
        [ over_all os "geometric mean" geometric_mean ~domains; over_all os "least" least ~domains ]
      );
  }
