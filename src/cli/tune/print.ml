(* What the command prints of a search. *)

open Drover_show
open Search

let memory bytes = Printf.sprintf "%.0f MB" (bytes /. 1e6)
let gain (r : result) row = Stats.summary (gains row ~base:r.base)

let spread (gain : Stats.summary) =
  Printf.sprintf "%s to %s" (Show.times gain.low) (Show.times gain.high)

let table (r : result) : Table.t =
  let line row =
    let gain = gain r row in
    let gains = if row == r.base then [ ""; "" ] else [ Show.times gain.median; spread gain ] in
    (Setting.name row.setting :: gains)
    @ [ Show.seconds (Stats.median row.times); memory row.memory ]
  in
  {
    title = Printf.sprintf "in %d turns" (turns r);
    notes = [ "the gain over the program as it is run, and its middle half" ];
    header = [ "setting"; "gain"; "middle half"; "time"; "memory" ];
    rows = List.map line r.rows;
  }

let conclusion (r : result) =
  match r.choice with
  | None ->
      Printf.sprintf
        "Nothing helps: no setting gains %.0f%% in three of four turns. Run the program as it is."
        (100. *. (worth -. 1.))
  | Some row ->
      let gain = gain r row in
      Printf.sprintf "%s gains %s (%s); memory: %s instead of %s." (Setting.name row.setting)
        (Show.times gain.median) (spread gain) (memory row.memory) (memory r.base.memory)

(* [others] is what part of the machine other programs used. *)
let disturbed others =
  match others with
  | Some part when part > 0.1 ->
      [
        Printf.sprintf
          "Not a measurement: other programs used %.0f%% of this machine, and what the settings \
           gained may be due to that. Repeat this on a quiet machine."
          (100. *. part);
      ]
  | Some _ | None -> []

let pp ~program ~warnings ~others ppf (r : result) =
  Summary.title ppf program;
  Table.pp ppf (table r);
  Summary.warnings ppf (disturbed others @ warnings);
  Summary.advice ppf [ conclusion r ]

let to_json ~program ~line (r : result) : Yojson.Safe.t =
  let int_or_null = Option.fold ~none:`Null ~some:(fun n -> `Int n) in
  let row row =
    let gain = gain r row in
    `Assoc
      [
        ("line", `String (line row.setting));
        ("domains", int_or_null row.setting.domains);
        ("minor_heap_mwords", int_or_null row.setting.minor_heap);
        ("space_overhead", int_or_null row.setting.space_overhead);
        ("seconds", `Float (Stats.median row.times));
        ("memory", `Float row.memory);
        ("gain", `Float gain.median);
        ("gain_low", `Float gain.low);
        ("gain_high", `Float gain.high);
      ]
  in
  let choice = Option.fold r.choice ~none:`Null ~some:(fun row -> `String (line row.setting)) in
  `Assoc
    [
      ("program", `String program);
      ("turns", `Int (turns r));
      ("settings", `List (List.map row r.rows));
      ("choice", choice);
    ]
