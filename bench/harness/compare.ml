open Drover_show

type times = { kernel : string; version : string; domains : int; seconds : Stats.summary }
type session = { machine : string; rows : times list }

let of_results (t : Store.t) =
  let row (o : Outcome.t) (r : Outcome.row) =
    { kernel = o.kernel; version = r.version; domains = r.domains; seconds = r.seconds }
  in
  let m = t.machine in
  {
    machine = Printf.sprintf "%d cores (%s), OCaml %s" m.cores m.model m.ocaml;
    rows = List.concat_map (fun (o : Outcome.t) -> List.map (row o) o.rows) t.kernels;
  }

let read file = Result.map of_results (Store.read file)

type verdict = Slower | Faster | Same

type change = {
  now : times;
  before : times;
  ratio : float;
  low : float;
  high : float;
  verdict : verdict;
}

(* The middle half of a normal distribution is 1.35 standard deviations wide, and the median of n
   samples has a standard error of 1.25 of them over the root of n: so the quartiles tell how sure a
   median is (McGill, Tukey and Larsen, Variations of box plots, 1978). As a part of the median. *)
let error (s : Stats.summary) = 1.25 /. 1.35 *. Stats.spread s /. sqrt (float s.count)

(* 95% of a normal distribution lie within 1.96 standard deviations of its middle. The logarithms of the
   medians have the errors of these, so that of their ratio is the two together. *)
let interval ratio now before =
  let factor = exp (1.96 *. Float.hypot (error now) (error before)) in
  (ratio /. factor, ratio *. factor)

let tolerance = 0.02

let change (before, now) =
  let ratio = now.seconds.median /. before.seconds.median in
  let low, high = interval ratio now.seconds before.seconds in
  let verdict =
    if low > 1. +. tolerance then Slower else if high < 1. -. tolerance then Faster else Same
  in
  { now; before; ratio; low; high; verdict }

let same a b = a.kernel = b.kernel && a.version = b.version && a.domains = b.domains

let changes ~before now =
  let pair s = Option.map (fun b -> (b, s)) (List.find_opt (same s) before.rows) in
  List.map change (List.filter_map pair now.rows)

let is_regression = List.exists (fun c -> c.verdict = Slower)
let rank c = match c.verdict with Slower -> 0 | Faster -> 1 | Same -> 2

let row c =
  [
    c.now.kernel;
    c.now.version;
    string_of_int c.now.domains;
    Show.seconds c.before.seconds.median;
    Show.seconds c.now.seconds.median;
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
