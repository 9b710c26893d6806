open Drover_show
module S = Drover.Scalability

let cores = [ 1; 2; 4; 8; 16; 32; 64; 128 ]

(* A bar of four columns for each doubling. *)
let columns speedup = Int.max 0 (int_of_float (Float.round (4. *. Float.log2 speedup))) + 1

(* Filled up to the lower bound, then to the likely value, then to the upper bound. *)
let bar (p : S.prediction) =
  let lower = columns p.lower in
  let likely = Int.max lower (columns p.likely) in
  let upper = Int.max likely (columns p.upper) in
  String.make lower '#' ^ String.make (likely - lower) '+' ^ String.make (upper - likely) '.'

let predicted speedup = Show.roughly speedup ^ "x"

let predictions (r : Scaling.t) : Table.t =
  let row cores =
    let p = Scaling.predict r ~cores in
    let alone = (S.predict r.measured ~cores).likely in
    string_of_int cores
    :: List.map predicted ([ p.lower; p.likely; p.upper ] @ if r.here = None then [] else [ alone ])
  in
  {
    title = "predicted speed-up";
    notes = [];
    header =
      ([ "cores"; "at least"; "likely"; "at most" ] @ if r.here = None then [] else [ "structure" ]);
    rows = List.map row cores;
  }

(* A mark at each doubling, where the bar for it ends. *)
let axis =
  String.concat "" (List.map (fun n -> Printf.sprintf "%-4s" (string_of_int n ^ "x")) cores)

let with_bars r (t : Table.t) : Table.t =
  let bars = List.map (fun cores -> bar (Scaling.predict r ~cores)) cores in
  let width = String.length (String.trim axis) in
  let pad b = b ^ String.make (width - String.length b) ' ' in
  let note = "bars: # at least, + likely, . at most; each mark of the axis doubles it" in
  {
    t with
    notes = [ note ];
    header = t.header @ [ String.trim axis ];
    rows = List.map2 (fun row b -> row @ [ pad b ]) t.rows bars;
  }

let most_sites = 8

let sites (m : S.t) : Table.t =
  let row (s : S.site) =
    [
      s.place;
      string_of_int s.calls;
      Show.percent (s.span /. m.span);
      Show.percent (s.work /. m.work);
      (if s.span > 0. then Show.digits (s.work /. s.span) else "-");
    ]
  in
  {
    title = "where the span is";
    notes = [];
    header = [ "fork, loop or task"; "calls"; "span"; "work"; "parallelism" ];
    rows = List.map row (List.take most_sites m.sites);
  }

(* Between what the runs lie, if there were several. *)
let range show values =
  let least = List.fold_left Float.min infinity values
  and most = List.fold_left Float.max 0. values in
  let n = List.length values in
  if n < 2 then "" else Printf.sprintf "; %s to %s in %d runs" (show least) (show most) n

let structure (r : Scaling.t) =
  let m = r.measured in
  let outside = S.outside m in
  let range value = range Show.seconds (List.map value r.runs) in
  [
    (Show.seconds m.work, "work", "on one core" ^ range (fun m -> m.S.work));
    (Show.seconds m.span, "span", "on unlimited cores" ^ range (fun m -> m.S.span));
    (Show.roughly (S.parallelism m), "parallelism", "the largest speed-up on any number of cores");
    ( Show.roughly (S.burdened_parallelism m),
      "burdened",
      Printf.sprintf "if each fork costs a steal of %s" (Show.seconds S.default_steal) );
    ( Show.percent outside,
      "serial",
      if outside > 0. then
        Printf.sprintf "outside any fork, loop or task: at most %s, by Amdahl's law"
          (predicted (1. /. outside))
      else "outside any fork, loop or task" );
  ]

let signed share = if share < 0. then Show.percent share else "+" ^ Show.percent share

let inflation (r : Scaling.t) (here : Here.t) =
  let likely = (Scaling.predict r ~cores:here.cores).likely in
  let rest = here.several -. here.one -. here.collections in
  [
    ( Show.times (Here.inflation here r.measured),
      "inflation",
      Printf.sprintf
        "of forks, loops and tasks on %d cores; of all work %s for collections, %s else" here.cores
        (signed (here.collections /. here.one))
        (signed (rest /. here.one)) );
    ( Show.times here.speedup,
      "measured",
      Printf.sprintf "on %d cores%s; from the above follows %s" here.cores
        (range Show.times here.speedups) (predicted likely) );
  ]

let one_worker (s : Simulated.t) =
  let { Simulated.machine; recorded; _ } = s in
  [
    ( Show.seconds s.serial,
      "simulated",
      Printf.sprintf
        "on one processor of %s, from %d recorded events; what took less than %s is one of them"
        machine recorded.events
        (Show.seconds (float recorded.piece *. 1e-9)) );
  ]

let figures (r : Scaling.t) =
  structure r
  @ Option.fold r.here ~none:[] ~some:(inflation r)
  @ Option.fold r.simulated ~none:[] ~some:one_worker

(* Beside the bounds of the same run *)
let simulated (s : Simulated.t) : Table.t =
  let row ({ workers; low; high; shares } : Simulated.row) =
    let bound = S.predict s.measured ~cores:workers in
    (string_of_int workers :: List.map predicted [ low; high; bound.likely; bound.upper ])
    @ List.map Show.percent [ shares.working; shares.stalled; shares.collecting; shares.idle ]
  in
  {
    title = "simulated speed-up on " ^ s.machine;
    notes =
      [
        "low, high: with the high and the low estimates of what this machine takes";
        "working to idle: the workers' time, with the high ones";
      ];
    header =
      [ "workers"; "low"; "high"; "likely"; "at most"; "working"; "memory"; "collecting"; "idle" ];
    rows = List.map row s.rows;
  }

let pp ppf (r : Scaling.t) =
  Summary.title ppf r.program;
  Summary.rows ppf (figures r);
  Fmt.pf ppf "@.%a" Table.pp (with_bars r (predictions r));
  Option.iter (fun s -> Table.pp ppf (simulated s)) r.simulated;
  Table.pp ppf (sites r.measured);
  Summary.warnings ppf (Advice.warnings r);
  Summary.advice ppf (Advice.about r)

let json_of_prediction (p : S.prediction) =
  [ ("lower", `Float p.lower); ("likely", `Float p.likely); ("upper", `Float p.upper) ]

let json_of_site (s : S.site) : Yojson.Safe.t =
  `Assoc
    [
      ("place", `String s.place);
      ("calls", `Int s.calls);
      ("iterations", `Int s.iterations);
      ("work", `Float s.work);
      ("span", `Float s.span);
    ]

let json_of_here (r : Scaling.t) (here : Here.t) : Yojson.Safe.t =
  `Assoc
    [
      ("cores", `Int here.cores);
      ("inflation", `Float (Here.inflation here r.measured));
      ("work_on_one", `Float here.one);
      ("work_on_all", `Float here.several);
      ("collections", `Float here.collections);
      ("measured_speedup", `Float here.speedup);
      ("likely_speedup", `Float (Scaling.predict r ~cores:here.cores).likely);
    ]

let json_of_simulated (s : Simulated.t) : Yojson.Safe.t =
  let row ({ workers; low; high; shares } : Simulated.row) =
    `Assoc
      [
        ("workers", `Int workers);
        ("low", `Float low);
        ("high", `Float high);
        ("bound", `Float (S.predict s.measured ~cores:workers).upper);
        ("working", `Float shares.working);
        ("memory", `Float shares.stalled);
        ("collecting", `Float shares.collecting);
        ("idle", `Float shares.idle);
      ]
  in
  `Assoc
    [
      ("machine", `String s.machine);
      ("events", `Int s.recorded.events);
      ("piece", `Float (float s.recorded.piece *. 1e-9));
      ("unrecorded", `Float (float s.recorded.rest *. 1e-9));
      ("one_worker", `Float s.serial);
      ("speedup", `List (List.map row s.rows));
    ]

let to_json (r : Scaling.t) : Yojson.Safe.t =
  let m = r.measured in
  let speedup predict =
    let at cores = `Assoc (("cores", `Int cores) :: json_of_prediction (predict ~cores)) in
    `List (List.map at cores)
  in
  let here h = [ ("here", json_of_here r h); ("speedup_here", speedup (Scaling.predict r)) ] in
  `Assoc
    ([
       ("program", `String r.program);
       ("runs", `Int (List.length r.runs));
       ("work", `Float m.work);
       ("span", `Float m.span);
       ("burdened_span", `Float m.burdened_span);
       ("measuring", `Float m.measuring);
       ("parallelism", `Float (S.parallelism m));
       ("burdened_parallelism", `Float (S.burdened_parallelism m));
       ("serial_share", `Float (S.outside m));
       ("speedup", speedup (S.predict m));
       ("sites", `List (List.map json_of_site m.sites));
     ]
    @ Option.fold r.here ~none:[] ~some:here
    @ Option.fold r.simulated ~none:[] ~some:(fun s -> [ ("simulated", json_of_simulated s) ]))
