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

let row o (r : Outcome.row) : Yojson.Safe.t =
  `Assoc
    [
      ("version", `String r.version);
      ("domains", `Int r.domains);
      ("obtained", `Int r.obtained);
      ("median", `Float (Stats.median r.samples));
      ("least", `Float (Stats.minimum r.samples));
      ("spread", `Float (Stats.spread r.samples));
      ("vs_serial", `Float (Outcome.vs_serial o r));
      ("vs_self", `Float (Outcome.vs_self o r));
      ("samples", `List (Array.to_list (Array.map (fun s -> `Float s) r.samples)));
      ("gc_pauses", pauses r.pauses);
    ]

let kernel (o : Outcome.t) : Yojson.Safe.t =
  `Assoc
    [
      ("kernel", `String o.kernel);
      ("about", `String o.about);
      ("note", `String o.note);
      ("others", match o.others with None -> `Null | Some part -> `Float part);
      ("rows", `List (List.map (row o) o.rows));
    ]

let figure (f : Probe.figure) : Yojson.Safe.t =
  let goal =
    match f.goal with
    | None -> []
    | Some (At_most x) -> [ ("at_most", `Float x) ]
    | Some (At_least x) -> [ ("at_least", `Float x) ]
  in
  `Assoc
    ([ ("label", `String f.label); ("value", `Float f.value); ("unit", `String f.unit_) ] @ goal)

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

let save file t =
  Destination.write file (fun oc ->
      Yojson.Safe.pretty_to_channel ~std:true oc (to_json t);
      Out_channel.output_char oc '\n')
