open Drover_show
open Yojson.Safe.Util

type sample = { kernel : string; version : string; domains : int; samples : float array }
type session = { machine : string; rows : sample list }

let row_of kernel json =
  {
    kernel;
    version = member "version" json |> to_string;
    domains = member "domains" json |> to_int;
    samples = member "samples" json |> to_list |> List.map to_number |> Array.of_list;
  }

let of_json json =
  let rows kernel =
    let name = member "kernel" kernel |> to_string in
    List.map (row_of name) (member "rows" kernel |> to_list)
  in
  let machine = member "machine" json in
  {
    machine =
      Printf.sprintf "%d cores (%s), OCaml %s"
        (member "cores" machine |> to_int)
        (member "model" machine |> to_string)
        (member "ocaml" machine |> to_string);
    rows = List.concat_map rows (member "kernels" json |> to_list);
  }

let of_results t = of_json (Store.to_json t)

let read file =
  match of_json (Yojson.Safe.from_file file) with
  | session -> Ok session
  | exception Sys_error why -> Error why
  | exception (Yojson.Json_error _ | Type_error _ | Undefined _) ->
      Error (file ^ ": it is not what bench --json writes")

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
