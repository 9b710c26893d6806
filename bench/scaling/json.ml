open Drover_sim_programs

let of_line (l : Measure.line) =
  `Assoc
    [
      ("name", `String l.name);
      ("stall", `Int l.stall);
      ("misses", `Int l.misses);
      ("waits", `Int l.waits);
      ("failures", `Int l.failures);
    ]

let of_measured (r : Study.run) (m : Measure.t) =
  [
    ("elapsed", `Int m.elapsed);
    ("speed_up", `Float (float r.sized.work /. float m.elapsed));
    ("is_right", `Bool m.is_right);
    ("busy", `Int m.total.busy);
    ("stalled", `Int m.total.stalled);
    ("spun", `Int m.total.spun);
    ("parked", `Int m.total.blocked);
    ("collected", `Int m.total.collected);
    ("queued", `Int m.total.queued);
    ("steals", `Int m.steals);
    ("steals_in_vain", `Int m.steals_in_vain);
    ("woken", `Int m.woken);
    ("collections", `Int m.collections);
    ("accesses", `Int m.accesses);
    ("lines", `List (List.map of_line (List.take 5 m.lines)));
  ]

let of_run (r : Study.run) =
  `Assoc
    ([
       ("processors", `Int r.processors);
       ("estimate", `String (Study.name_of_estimate r.estimate));
       ("work", `Int r.sized.work);
       ("operations", `Int r.sized.operations);
     ]
    @ match r.measured with Ok m -> of_measured r m | Error why -> [ ("no_end", `String why) ])

let of_study (t : Study.t) =
  `Assoc
    [
      ("program", `String t.program.name);
      ("doc", `String t.program.doc);
      ("runs", `List (List.map of_run t.runs));
    ]

let of_studies settings studies =
  `Assoc (settings @ [ ("programs", `List (List.map of_study studies)) ])
