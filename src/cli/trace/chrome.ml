open Recording

let category = function
  | Task -> "task"
  | Named -> "name"
  | Collection -> "gc"
  | Park -> "park"
  | Stand_by -> "stand by"
  | Unknown -> "unknown"

let us origin at = `Float (float (at - origin) /. 1000.)

let event ~ph ~ring fields : Yojson.Safe.t =
  `Assoc (("ph", `String ph) :: ("pid", `Int 1) :: ("tid", `Int ring) :: fields)

let slice t origin (s : slice) =
  let args site = [ ("args", `Assoc [ ("started at", `String site) ]) ] in
  event ~ph:"X" ~ring:s.ring
    ([
       ("name", `String (name t s));
       ("cat", `String (category s.kind));
       ("ts", us origin s.start);
       ("dur", `Float (float (s.finish - s.start) /. 1000.));
     ]
    @ Option.fold (site t s) ~none:[] ~some:args)

(* A wait is an arrow from where the task stopped to where it goes on. *)
let mark origin (m : mark) =
  let at = ("ts", us origin m.at) in
  let instant name args =
    event ~ph:"i" ~ring:m.ring
      [
        ("name", `String name); ("cat", `String name); at; ("s", `String "t"); ("args", `Assoc args);
      ]
  in
  let arrow ph wait more =
    event ~ph ~ring:m.ring
      ([ ("name", `String "wait"); ("cat", `String "wait"); at; ("id", `Int wait) ] @ more)
  in
  match m.happening with
  | Steal victim -> instant "steal" [ ("from", `Int victim) ]
  | Batch size -> instant "batch" [ ("operations", `Int size) ]
  | Active workers -> instant "active workers" [ ("workers", `Int workers) ]
  | Unserved time ->
      instant "workers waited for processors" [ ("microseconds", `Float (float time /. 1000.)) ]
  | Suspend { wait; what = "" } -> arrow "s" wait []
  | Suspend { wait; what } -> arrow "s" wait [ ("args", `Assoc [ ("for", `String what) ]) ]
  | Resume wait -> arrow "f" wait [ ("bp", `String "e") ]

let metadata name ring args = event ~ph:"M" ~ring [ ("name", `String name); ("args", `Assoc args) ]

let track t ring =
  [
    metadata "thread_name" ring [ ("name", `String (title t ring)) ];
    metadata "thread_sort_index" ring [ ("sort_index", `Int ring) ];
  ]

(* For [Merge]: the rank, and when the timeline begins by the computer's clock. *)
let about_rank oc rank origin =
  let now = Int64.to_int Runtime_events.Timestamp.(to_int64 (get_current ())) in
  let seconds = Unix.gettimeofday () -. (float (now - origin) /. 1e9) in
  let about = `Assoc [ ("rank", `Int rank); ("origin", `Float (seconds *. 1e6)) ] in
  output_string oc {|,"otherData":|};
  Yojson.Safe.to_channel oc about

(* Event by event: a trace may be large. *)
let write oc ~program t =
  let origin = origin t in
  output_string oc {|{"displayTimeUnit":"ms","traceEvents":[|};
  Yojson.Safe.to_channel oc (metadata "process_name" 0 [ ("name", `String program) ]);
  let put event =
    output_string oc ",\n";
    Yojson.Safe.to_channel oc event
  in
  List.iter (fun ring -> List.iter put (track t ring)) (rings t);
  Dynarray.iter (fun s -> put (slice t origin s)) t.slices;
  Dynarray.iter (fun m -> put (mark origin m)) t.marks;
  output_string oc "]";
  Option.iter (fun rank -> about_rank oc rank origin) Drover_watch.Rank.number;
  output_string oc "}\n"
