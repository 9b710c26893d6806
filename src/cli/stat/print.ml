open Drover_show
open Figures

let per_second t n =
  if n = 0 then "" else Printf.sprintf "%s a second" (Show.digits (float n /. t.seconds))

let batches t =
  if t.batches.count = 0 then []
  else
    let mean = float t.batches.operations /. float t.batches.count in
    let why =
      Printf.sprintf "%d operations, %s a batch, %d at most" t.batches.operations (Show.digits mean)
        t.batches.largest
    in
    [ (string_of_int t.batches.count, "batches", why) ]

let fewer t =
  if t.fewer_share = 0. then "that other programs had"
  else Printf.sprintf "fewer than %d workers for %s of the time" t.size (Show.percent t.fewer_share)

let unknown = "?"
let if_known is_known text = if is_known then text else unknown

let unknown_rows t =
  if t.unknown = 0. then []
  else
    [
      ( Show.percent t.unknown,
        "unknown",
        "what workers did that had told nothing for long; shares are of the rest" );
    ]

let rows t =
  let count n = string_of_int n and is_known = knows_workers t in
  let workers = Printf.sprintf "%.2f of %d workers" (parallelism t) t.size in
  [
    (Show.seconds t.seconds, "wall", "");
    (Show.seconds t.cpu, "processor time", Printf.sprintf "%.2f processors" (t.cpu /. t.seconds));
  ]
  @ Option.to_list (Option.map Comparison.row t.comparison)
  @ (if not t.uses_drover then []
     else
       [
         ( if_known is_known (Show.percent (parallelism t /. float (Int.max 1 t.size))),
           "utilisation",
           if_known is_known workers );
         (count t.tasks, "tasks", "the longest turn: " ^ Show.seconds t.longest_task);
         (count t.steals, "steals", per_second t t.steals);
         (count t.parks, "parks", per_second t t.parks);
         (count t.resumed, "suspensions", per_second t t.resumed);
         (Show.percent (t.unserved /. whole t), "waiting for processors", fewer t);
       ]
       @ unknown_rows t @ batches t)
  @ [
      (count t.minor_collections, "minor collections", per_second t t.minor_collections);
      (count t.major_collections, "major collections", "");
      (Show.percent t.gc_share, "collecting", Show.percent t.minor_share ^ " in minor collections");
      (Show.percent t.barrier_share, "waiting at barriers", "for other domains, to collect together");
      ( Show.seconds (quantile t 1.),
        "largest pause",
        Printf.sprintf "p99 %s, p50 %s, of %d"
          (Show.seconds (quantile t 0.99))
          (Show.seconds (quantile t 0.5))
          (Array.length t.pauses) );
    ]

let table t : Table.t =
  let worker (w : worker) =
    let share part = if_known (is_known w) (Show.percent part) in
    [
      w.name;
      share w.in_tasks;
      Show.percent w.collecting;
      share w.parked;
      string_of_int w.tasks;
      string_of_int w.steals;
    ]
  in
  {
    title = "domains";
    notes = [];
    header = [ "domain"; "in tasks"; "collecting"; "parked"; "turns"; "steals" ];
    rows = List.map worker t.workers;
  }

(* What takes the most comes first; the others are in the JSON. *)
let most_rows = 12

let largest title header rows all : Table.t =
  let others = List.length all - most_rows in
  {
    title;
    notes = (if others > 0 then [ Printf.sprintf "and %d that took less" others ] else []);
    header;
    rows = List.concat_map rows (List.take most_rows all);
  }

let parts t =
  let part (p : Parts.figures) =
    [
      [
        p.name;
        string_of_int p.calls;
        Show.seconds p.total;
        Show.seconds p.longest;
        Show.seconds p.elapsed;
        Printf.sprintf "%.2f" p.workers;
      ];
    ]
  in
  largest "named parts" [ "part"; "calls"; "total"; "longest"; "elapsed"; "workers" ] part t.parts

(* The place stands below. *)
let waits t =
  let wait (w : Waits.figures) =
    let line what = [ what; string_of_int w.waits; Show.seconds w.total; Show.seconds w.longest ] in
    match Waits.place w with
    | None -> [ line w.what ]
    | Some (what, place) -> [ line what; [ "  in " ^ place; ""; ""; "" ] ]
  in
  largest "waits of tasks" [ "wait"; "times"; "total"; "longest" ] wait t.waits

let warnings t =
  (if t.lost > 0 then
     [
       Printf.sprintf
         "%d words of events were lost, so the figures are too low. Try larger buffers: \
          OCAMLRUNPARAM=e=22,d=16."
         t.lost;
     ]
   else [])
  @ (if t.uses_drover then []
     else if t.unknown > 0. then
       [
         "What its workers do is not known: they have told nothing for long. The figures are \
          OCaml's own.";
       ]
     else [ "No Drover task ran: the figures are OCaml's own." ])
  @ Option.fold t.comparison ~none:[] ~some:Comparison.warnings
  @ t.remarks

let pp program ppf t =
  Summary.title ppf program;
  Summary.rows ppf (rows t);
  Fmt.pf ppf "@.";
  Option.iter (fun comparison -> Table.pp ppf (Comparison.table comparison)) t.comparison;
  if t.uses_drover then Table.pp ppf (table t);
  if t.parts <> [] then Table.pp ppf (parts t);
  if t.waits <> [] then Table.pp ppf (waits t);
  Summary.warnings ppf (warnings t);
  Summary.advice ppf (Advice.about t)

let to_json program t : Yojson.Safe.t =
  let worker (w : worker) : Yojson.Safe.t =
    let share part = if is_known w then `Float part else `Null in
    `Assoc
      [
        ("domain", `String w.name);
        ("in_tasks", share w.in_tasks);
        ("collecting", `Float w.collecting);
        ("parked", share w.parked);
        ("unknown", `Float w.unknown);
        ("turns", `Int w.tasks);
        ("steals", `Int w.steals);
      ]
  in
  let part (p : Parts.figures) : Yojson.Safe.t =
    `Assoc
      [
        ("name", `String p.name);
        ("calls", `Int p.calls);
        ("total_seconds", `Float p.total);
        ("longest_seconds", `Float p.longest);
        ("elapsed_seconds", `Float p.elapsed);
        ("workers", `Float p.workers);
      ]
  in
  let wait (w : Waits.figures) : Yojson.Safe.t =
    `Assoc
      [
        ("what", `String w.what);
        ("times", `Int w.waits);
        ("total_seconds", `Float w.total);
        ("longest_seconds", `Float w.longest);
      ]
  in
  `Assoc
    [
      ("program", `String program);
      ("comparison", Option.fold t.comparison ~none:`Null ~some:Comparison.to_json);
      ("seconds", `Float t.seconds);
      ("cpu_seconds", `Float t.cpu);
      ("workers", `Int t.size);
      ("parallelism", if knows_workers t then `Float (parallelism t) else `Null);
      ("unknown_share", `Float t.unknown);
      ("tasks", `Int t.tasks);
      ("steals", `Int t.steals);
      ("parks", `Int t.parks);
      ("suspensions", `Int t.resumed);
      ("longest_task", `Float t.longest_task);
      ("cheap_loop_seconds", `Float t.cheap_loops);
      ("cheap_iteration_seconds", `Float t.cheap_iteration);
      ("batches", `Int t.batches.count);
      ("batched_operations", `Int t.batches.operations);
      ("largest_batch", `Int t.batches.largest);
      ("minor_collections", `Int t.minor_collections);
      ("major_collections", `Int t.major_collections);
      ("gc_share", `Float t.gc_share);
      ("minor_share", `Float t.minor_share);
      ("barrier_share", `Float t.barrier_share);
      ("unserved_seconds", `Float t.unserved);
      ("fewer_workers_share", `Float t.fewer_share);
      ("pauses", `Int (Array.length t.pauses));
      ("largest_pause", `Float (quantile t 1.));
      ("p99_pause", `Float (quantile t 0.99));
      ("p50_pause", `Float (quantile t 0.5));
      ("lost_words", `Int t.lost);
      ("domains", `List (List.map worker t.workers));
      ("parts", `List (List.map part t.parts));
      ("waits", `List (List.map wait t.waits));
      ("advice", `List (List.map (fun a -> `String a) (warnings t @ Advice.about t)));
    ]
