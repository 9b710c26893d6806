(* Comparison: the program and something else, run in turns. The gain is the median of the ratios within a turn, so what
   the machine does meanwhile disturbs both. *)

open Drover_show

(* Medians of what the collector reports at the end of a run. A program that is not OCaml's reports nothing. *)
type gc = { minor : float; major : float; words : float }

type side = {
  command : string;
  times : float array; (* seconds, of each turn *)
  memory : float; (* bytes *)
  gc : gc option;
}

type t = {
  over : string; (* what the base is called *)
  base : side;
  own : side;
  others : float option; (* the part of the machine that other programs used *)
}

let speed_up t = Stats.summary (Array.map2 ( /. ) t.base.times t.own.times)
let is_faster t = (speed_up t).low > 1.
let is_slower t = (speed_up t).high < 1.
let least_turns = 4

let row t =
  let gain = speed_up t in
  let why =
    Printf.sprintf "over %s: %s instead of %s; half of %d turns between %s and %s" t.over
      (Show.seconds (Stats.median t.own.times))
      (Show.seconds (Stats.median t.base.times))
      gain.count (Show.times gain.low) (Show.times gain.high)
  in
  (Show.times gain.median, "speed-up", why)

let count n =
  if n < 1e4 then Printf.sprintf "%.0f" n
  else if n < 1e6 then Show.digits (n *. 1e-3) ^ " k"
  else if n < 1e9 then Show.digits (n *. 1e-6) ^ " M"
  else Show.digits (n *. 1e-9) ^ " G"

let table t : Table.t =
  let line { command; times; memory; gc } =
    let low, high = Stats.quartiles times in
    let of_gc f = Option.fold gc ~none:"?" ~some:(fun gc -> count (f gc)) in
    [
      command;
      Show.seconds (Stats.median times);
      Printf.sprintf "%s to %s" (Show.seconds low) (Show.seconds high);
      of_gc (fun gc -> gc.minor);
      of_gc (fun gc -> gc.major);
      of_gc (fun gc -> gc.words);
      (if memory = 0. then "?" else Printf.sprintf "%.0f MB" (memory /. 1e6));
    ]
  in
  {
    title = Printf.sprintf "in %d turns" (Array.length t.own.times);
    notes = [ "minor, major: collections; words: what was allocated" ];
    header = [ "command"; "time"; "middle half"; "minor"; "major"; "words"; "memory" ];
    rows = List.map line [ t.base; t.own ];
  }

let warnings t =
  let turns = Array.length t.own.times in
  (match t.others with
    | Some part when part > 0.1 ->
        [
          Printf.sprintf
            "Not a measurement: other programs used %.0f%% of this machine during the comparison. \
             Repeat it on a quiet machine."
            (100. *. part);
        ]
    | Some _ | None -> [])
  @
  if turns < least_turns then
    [ Printf.sprintf "There was time for %d turns only, which show no spread." turns ]
  else if is_faster t || is_slower t then []
  else
    [
      Printf.sprintf
        "No difference: in some turns it was faster than %s, in some slower, also in their middle \
         half."
        t.over;
    ]

let to_json t : Yojson.Safe.t =
  let gain = speed_up t in
  let side { command; times; memory; gc } =
    let low, high = Stats.quartiles times in
    let of_gc f = Option.fold gc ~none:`Null ~some:(fun gc -> `Float (f gc)) in
    `Assoc
      [
        ("command", `String command);
        ("seconds", `Float (Stats.median times));
        ("seconds_low", `Float low);
        ("seconds_high", `Float high);
        ("minor_collections", of_gc (fun gc -> gc.minor));
        ("major_collections", of_gc (fun gc -> gc.major));
        ("allocated_words", of_gc (fun gc -> gc.words));
        ("memory", `Float memory);
      ]
  in
  `Assoc
    [
      ("turns", `Int gain.count);
      ("speed_up", `Float gain.median);
      ("speed_up_low", `Float gain.low);
      ("speed_up_high", `Float gain.high);
      ("base", side t.base);
      ("program", side t.own);
      ("others_share", Option.fold t.others ~none:`Null ~some:(fun part -> `Float part));
    ]
