(* Search: which setting to keep.

   1. The race. All settings run once, in turns; the faster half runs again, until two are left. A
      setting counts by its fastest run, as whatever disturbs a run makes it longer. The race takes
      half of the budget at most.
   2. The final. The two, all parts of the faster one, and the program as it is run, run in turns.
      Only these runs count: the race has chosen its winners partly by luck. A gain is the median of
      the ratios within a turn, so that what the machine does meanwhile disturbs both.
   3. The choice. One setting beats another if it is faster by 3% in three of four turns. Among
      those that beat the program as it is run, and that the fastest does not beat, the one with
      less memory is chosen, then the one with fewer changes. *)

open Drover_show

type sample = { seconds : float; memory : float (* bytes *) }

(* What the search is done with: tests have a world of their own. *)
type world = {
  measure : Setting.t -> sample option; (* one run; [None] if it failed: that as it is never does *)
  elapsed : unit -> float; (* seconds *)
  phase : string -> int -> unit; (* what begins, and how many runs that is *)
}

(* {1 The race} *)

let finalists = 2

(* Best first, without those that have not run. *)
let by_time field =
  List.filter (fun (_, best) -> best < infinity) field
  |> List.stable_sort (fun (_, a) (_, b) -> Float.compare a b)

let rec runs_of_race field = if field <= finalists then 0 else field + runs_of_race ((field + 1) / 2)

let race world ~until settings =
  let is_over () = world.elapsed () >= until in
  let run (setting, best) =
    if is_over () then Some (setting, best)
    else Option.map (fun sample -> (setting, Float.min best sample.seconds)) (world.measure setting)
  in
  let rec round field =
    let count = List.length field in
    if count <= finalists || is_over () then List.take finalists (by_time field)
    else
      let field = by_time (List.filter_map run field) in
      round (List.take ((count + 1) / 2) field)
  in
  world.phase "race" (runs_of_race (List.length settings));
  round (List.map (fun setting -> (setting, infinity)) settings)

(* {1 The final} *)

let least_turns = 4

let rec without_copies = function
  | [] -> []
  | first :: rest -> first :: without_copies (List.filter (( <> ) first) rest)

(* Who takes part, the most important first; as many as have their turns in [seconds]. *)
let field_of_final best ~seconds =
  match best with
  | [] -> [ Setting.as_it_is ]
  | (winner, time) :: _ ->
      let room = int_of_float (seconds /. (float least_turns *. time)) in
      (Setting.as_it_is :: List.map fst best) @ Setting.parts winner
      |> without_copies
      |> List.take (Int.max 2 room)

(* One run of each of [settings], in turns, as often as time permits and [runs] times at most. The
   result has the samples of a setting in the order of the turns; a setting that fails once is out. *)
let final world ~until ~runs settings =
  world.phase "final" (runs * List.length settings);
  let rec turns n field =
    let start = world.elapsed () in
    let run (setting, samples) =
      Option.map (fun sample -> (setting, sample :: samples)) (world.measure setting)
    in
    let field = List.filter_map run field in
    let now = world.elapsed () in
    if n + 1 < runs && now +. (now -. start) <= until then turns (n + 1) field else field
  in
  List.map (fun setting -> (setting, [])) settings |> turns 0

(* {1 The choice} *)

let worth = 1.03 (* below this two settings are the same *)

type row = { setting : Setting.t; times : float array; (* seconds, of each turn *) memory : float }

let row (setting, (samples : sample list)) =
  let of_all f = Array.of_list (List.map f samples) in
  {
    setting;
    times = of_all (fun s -> s.seconds);
    memory = Stats.median (of_all (fun s -> s.memory));
  }

(* How many times as fast [row] is as [base], in each turn. *)
let gains row ~base = Array.map2 ( /. ) base.times row.times

let beats a b =
  let ratios = gains a ~base:b in
  let better = Array.fold_left (fun n ratio -> if ratio >= worth then n + 1 else n) 0 ratios in
  let turns = Array.length ratios in
  turns >= least_turns && 4 * better >= 3 * turns

let choose rows ~base =
  let loss row = -.Stats.median (gains row ~base) in
  let better = List.filter (fun row -> beats row base) rows in
  let by_gain = List.sort (fun a b -> Float.compare (loss a) (loss b)) better in
  let best = List.take 1 by_gain in
  let good = List.filter (fun row -> not (List.exists (fun best -> beats best row) best)) by_gain in
  let least = List.fold_left (fun least row -> Float.min least row.memory) infinity good in
  let frugal = List.filter (fun row -> row.memory <= worth *. least) good in
  let fewer a b = Int.compare (Setting.changes a.setting) (Setting.changes b.setting) in
  List.nth_opt (List.stable_sort fewer frugal) 0

type result = { base : row; rows : row list; choice : row option }

let search world ~budget ~runs settings =
  let best = race world ~until:(budget /. 2.) settings in
  let seconds = budget -. world.elapsed () in
  let rows = final world ~until:budget ~runs (field_of_final best ~seconds) |> List.map row in
  let base = List.find (fun row -> row.setting = Setting.as_it_is) rows in
  { base; rows; choice = choose rows ~base }

let turns r = Array.length r.base.times
