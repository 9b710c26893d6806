open Drover_show

type sample = { kernel : string; version : string; domains : int; samples : float array }
type session = { machine : string; rows : sample list }

let of_results (t : Store.t) =
  let row (o : Outcome.t) (r : Outcome.row) =
    { kernel = o.kernel; version = r.version; domains = r.domains; samples = r.samples }
  in
  let m = t.machine in
  {
    machine = Printf.sprintf "%d cores (%s), OCaml %s" m.cores m.model m.ocaml;
    rows = List.concat_map (fun (o : Outcome.t) -> List.map (row o) o.rows) t.kernels;
  }

let read file = Result.map of_results (Store.read file)

type verdict = Slower | Faster | Same

type change = {
  now : sample;
  before : sample;
  ratio : float;
  low : float;
  high : float;
  verdict : verdict;
}

let resample rng a = Array.map (fun _ -> a.(Random.State.int rng (Array.length a))) a
let times = 2000

(* The seed is fixed, so that two calls say the same. *)
let interval now before =
  let rng = Random.State.make [| 1979 |] in
  let ratio _ = Stats.median (resample rng now) /. Stats.median (resample rng before) in
  let ratios = Array.init times ratio in
  (Stats.quantile 0.025 ratios, Stats.quantile 0.975 ratios)

let tolerance = 0.02

let change (before, now) =
  let ratio = Stats.median now.samples /. Stats.median before.samples in
  let low, high = interval now.samples before.samples in
  let verdict =
    if low > 1. +. tolerance then Slower else if high < 1. -. tolerance then Faster else Same
  in
  { now; before; ratio; low; high; verdict }

let same a b = a.kernel = b.kernel && a.version = b.version && a.domains = b.domains
let is_measured s = Array.length s.samples > 0

let changes ~before now =
  let pair s = Option.map (fun b -> (b, s)) (List.find_opt (same s) before.rows) in
  List.filter_map pair now.rows
  |> List.filter (fun (b, s) -> is_measured b && is_measured s)
  |> List.map change

let is_regression = List.exists (fun c -> c.verdict = Slower)
let rank c = match c.verdict with Slower -> 0 | Faster -> 1 | Same -> 2

let row c =
  [
    c.now.kernel;
    c.now.version;
    string_of_int c.now.domains;
    Show.seconds (Stats.median c.before.samples);
    Show.seconds (Stats.median c.now.samples);
    Printf.sprintf "%+.1f%%" (100. *. (c.ratio -. 1.));
    Printf.sprintf "%+.1f%% to %+.1f%%" (100. *. (c.low -. 1.)) (100. *. (c.high -. 1.));
    (match c.verdict with Slower -> "slower" | Faster -> "faster" | Same -> "");
  ]

let table ~before now : Table.t =
  let changes = changes ~before now in
  let ranked = List.stable_sort (fun a b -> Int.compare (rank a) (rank b)) changes in
  let elsewhere =
    if before.machine = now.machine then []
    else [ "not the same machine: then it was " ^ before.machine ]
  in
  {
    title = "compared";
    notes = "medians, and 95% confidence intervals of how the time has changed" :: elsewhere;
    header = [ "kernel"; "version"; "domains"; "before"; "now"; "change"; "between"; "" ];
    rows = List.map row ranked;
  }
