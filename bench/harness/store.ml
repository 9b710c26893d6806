open Drover_show

type t = {
  machine : Machine.t;
  parameters : (string * string) list;
  kernels : Outcome.t list;
  probes : Probe.outcome list;
}

let machine (m : Machine.t) : Yojson.Safe.t =
  `Assoc
    [
      ("cores", `Int m.cores);
      ("model", `String m.model);
      ("system", `String m.system);
      ("ocaml", `String m.ocaml);
      ("minor_heap_words", `Int m.minor_heap_words);
      ("load", match m.load with None -> `Null | Some load -> `Float load);
    ]

let pauses (p : Gc_pauses.t) : Yojson.Safe.t =
  `Assoc
    [
      ("count", `Int p.count);
      ("largest", `Float p.largest);
      ("p99", `Float p.p99);
      ("share", `Float p.share);
      ("histogram", `List (Array.to_list (Array.map (fun n -> `Int n) p.histogram)));
      ("lost_events", `Int p.lost);
    ]

(* To five digits: samples differ in the third. *)
let summary (s : Stats.summary) : Yojson.Safe.t =
  let digits x = `Float (float_of_string (Printf.sprintf "%.5g" x)) in
  `List [ digits s.low; digits s.median; digits s.high ]

(* What is as one expects is left out. *)
let row (r : Outcome.row) : Yojson.Safe.t =
  let unless expected value field = if value = expected then [] else [ field ] in
  `Assoc
    ([ ("version", `String r.version); ("domains", `Int r.domains) ]
    @ unless r.domains r.obtained ("obtained", `Int r.obtained)
    @ [
        ("seconds", summary r.seconds);
        ("count", `Int r.seconds.count);
        ("speed_up", summary r.speed_up);
      ]
    @ unless 0 r.minor_heap_words ("minor_heap_words", `Int r.minor_heap_words)
    @ unless Gc_pauses.none r.pauses ("gc_pauses", pauses r.pauses))

let kinds : (string * Outcome.kind) list =
  [ ("program", Program); ("kernel", Kernel); ("loop", Loop) ]

let name_of_kind kind = fst (List.find (fun (_, k) -> k = kind) kinds)

let kernel (o : Outcome.t) : Yojson.Safe.t =
  `Assoc
    [
      ("kernel", `String o.kernel);
      ("kind", `String (name_of_kind o.kind));
      ("about", `String o.about);
      ("note", `String o.note);
      ("others", match o.others with None -> `Null | Some part -> `Float part);
      ("rows", `List (List.map row o.rows));
    ]

let figure (f : Probe.figure) : Yojson.Safe.t =
  let goal =
    match f.goal with
    | None -> []
    | Some (At_most x) -> [ ("at_most", `Float x) ]
    | Some (At_least x) -> [ ("at_least", `Float x) ]
  in
  let column = Option.fold f.column ~none:[] ~some:(fun c -> [ ("column", `String c) ]) in
  `Assoc
    ((("label", `String f.label) :: column)
    @ [ ("value", `Float f.value); ("unit", `String f.unit_) ]
    @ goal)

let probe (o : Probe.outcome) : Yojson.Safe.t =
  `Assoc
    [
      ("probe", `String o.probe);
      ("about", `String o.about);
      ("figures", `List (List.map figure o.figures));
    ]

let to_json t : Yojson.Safe.t =
  `Assoc
    [
      ("machine", machine t.machine);
      ("parameters", `Assoc (List.map (fun (name, v) -> (name, `String v)) t.parameters));
      ("kernels", `List (List.map kernel t.kernels));
      ("probes", `List (List.map probe t.probes));
    ]

(* A line for each row, and for each other value of which the file is made. *)
let rec lines : Yojson.Safe.t -> string = function
  | `Assoc fields ->
      let field (name, value) =
        Printf.sprintf "%s: %s" (Yojson.Safe.to_string (`String name)) (lines value)
      in
      "{ " ^ String.concat ", " (List.map field fields) ^ " }"
  | `List (`Assoc _ :: _ as values) -> "[\n" ^ String.concat ",\n" (List.map lines values) ^ "\n]"
  | other -> Yojson.Safe.to_string ~std:true other

let save file t =
  Destination.write file (fun oc -> Out_channel.output_string oc (lines (to_json t) ^ "\n"))

(* Reading *)

open Yojson.Safe.Util

let read_machine json : Machine.t =
  let get name = member name json in
  {
    cores = to_int (get "cores");
    model = to_string (get "model");
    system = to_string (get "system");
    ocaml = to_string (get "ocaml");
    minor_heap_words = to_int (get "minor_heap_words");
    load = to_option to_number (get "load");
  }

let read_pauses json : Gc_pauses.t =
  let get name = member name json in
  {
    count = to_int (get "count");
    largest = to_number (get "largest");
    p99 = to_number (get "p99");
    share = to_number (get "share");
    histogram = Array.of_list (List.map to_int (to_list (get "histogram")));
    lost = to_int (get "lost_events");
  }

let read_summary ~count json : Stats.summary =
  match List.map to_number (to_list json) with
  | [ low; median; high ] -> { count; low; median; high }
  | _ -> raise (Type_error ("quartiles", json))

let read_row json : Outcome.row =
  let get name = member name json in
  let optional name read default = Option.value (to_option read (get name)) ~default in
  let domains = to_int (get "domains") and count = to_int (get "count") in
  {
    version = to_string (get "version");
    domains;
    obtained = optional "obtained" to_int domains;
    seconds = read_summary ~count (get "seconds");
    speed_up = read_summary ~count (get "speed_up");
    minor_heap_words = optional "minor_heap_words" to_int 0;
    pauses = optional "gc_pauses" read_pauses Gc_pauses.none;
  }

(* Files of earlier versions have fewer. *)
let kind_of name =
  Option.value (Option.bind name (fun name -> List.assoc_opt name kinds)) ~default:Outcome.Program

let read_kernel json : Outcome.t =
  let get name = member name json in
  {
    kernel = to_string (get "kernel");
    kind = kind_of (to_string_option (get "kind"));
    about = to_string (get "about");
    note = to_string (get "note");
    others = to_option to_number (get "others");
    rows = List.map read_row (to_list (get "rows"));
  }

let read_figure json : Probe.figure =
  let get name = member name json in
  let goal of_limit name = Option.map of_limit (to_option to_number (get name)) in
  {
    label = to_string (get "label");
    column = to_option to_string (get "column");
    value = to_number (get "value");
    unit_ = to_string (get "unit");
    goal =
      (match goal (fun x -> Probe.At_most x) "at_most" with
      | None -> goal (fun x -> Probe.At_least x) "at_least"
      | most -> most);
  }

let read_probe json : Probe.outcome =
  {
    probe = to_string (member "probe" json);
    about = to_string (member "about" json);
    figures = List.map read_figure (to_list (member "figures" json));
  }

let of_json json =
  let all name read = List.map read (to_list (member name json)) in
  {
    machine = read_machine (member "machine" json);
    parameters =
      List.map (fun (name, v) -> (name, to_string v)) (to_assoc (member "parameters" json));
    kernels = all "kernels" read_kernel;
    probes = all "probes" read_probe;
  }

let read file =
  match of_json (Yojson.Safe.from_file file) with
  | t -> Ok t
  | exception Sys_error why -> Error why
  | exception (Yojson.Json_error _ | Type_error _ | Undefined _) ->
      Error (file ^ ": it is not what bench --json writes")

(* What [now] has measured takes the place of what is in [before]. *)
let update ~by before now =
  let replaced old = List.exists (fun n -> by n = by old) now in
  List.filter (fun old -> not (replaced old)) before @ now

let merge before now =
  {
    now with
    kernels = update ~by:(fun (o : Outcome.t) -> o.kernel) before.kernels now.kernels;
    probes = update ~by:(fun (p : Probe.outcome) -> p.probe) before.probes now.probes;
  }
