open Drover_show

(* What one program says of a subject. [relative] is its cost over that of the serial program. *)
type measured = {
  kernel : string;
  what : string;
  unit_ : string;
  value : float;
  cost : float;
  relative : float;
}

type change = {
  kernel : string;
  what : string;
  unit_ : string;
  before : float;
  now : float;
  ratio : float;
  low : float;
  high : float;
  verdict : Compare.verdict;
}

let of_row (o : Outcome.t) (row : Outcome.row) : measured =
  let seconds = row.seconds.median in
  {
    kernel = o.kernel;
    what = Printf.sprintf "%s@%d" row.version row.domains;
    unit_ = "s";
    value = seconds;
    cost = seconds;
    relative = 1. /. Outcome.vs_serial row;
  }

let of_figure (o : Probe.outcome) (f : Probe.figure) =
  let what = Option.fold f.column ~none:f.label ~some:(Printf.sprintf "%s, %s" f.label) in
  let measured cost : measured =
    { kernel = o.probe; what; unit_ = f.unit_; value = f.value; cost; relative = cost }
  in
  Option.map measured (Probe.cost f)

let of_results (t : Store.t) =
  let is_ours (row : Outcome.row) = String.starts_with ~prefix:"drover" row.version in
  let of_kernel (o : Outcome.t) = List.map (of_row o) (List.filter is_ours o.rows) in
  let of_probe (o : Probe.outcome) = List.filter_map (of_figure o) o.figures in
  List.concat_map of_kernel t.kernels @ List.concat_map of_probe t.probes

let word : Compare.verdict -> string = function
  | Slower -> "slower"
  | Faster -> "faster"
  | Same -> ""

let tolerance = 1.03

let verdict ratios : Compare.verdict =
  let low, high = Stats.quartiles ratios in
  if low > tolerance then Slower else if high < 1. /. tolerance then Faster else Same

(* A serial program that becomes slower as well says that its code lies elsewhere, or that the machine was
   busy: a change of layout moves a tight loop by a third. *)
let verdict_of_both ratios ~relative : Compare.verdict =
  let v = verdict ratios in
  if v = verdict relative then v else Same

let same (a : measured) (b : measured) = a.kernel = b.kernel && a.what = b.what

(* Pairs of sessions in which one of the two lacks the subject say nothing of it. *)
let change pairs subject =
  let in_pair (before, now) =
    match (List.find_opt (same subject) before, List.find_opt (same subject) now) with
    | Some before, Some now -> Some (before, now)
    | _ -> None
  in
  match List.filter_map in_pair pairs with
  | [] -> None
  | both ->
      let each f = Array.of_list (List.map f both) in
      let ratios = each (fun (before, now) -> now.cost /. before.cost) in
      let relative = each (fun (before, now) -> now.relative /. before.relative) in
      let low, high = Stats.quartiles ratios in
      Some
        {
          kernel = subject.kernel;
          what = subject.what;
          unit_ = subject.unit_;
          before = Stats.median (each (fun (before, _) -> before.value));
          now = Stats.median (each (fun (_, now) -> now.value));
          ratio = Stats.median ratios;
          low;
          high;
          verdict = verdict_of_both ratios ~relative;
        }

let changes pairs =
  match List.map (fun (before, now) -> (of_results before, of_results now)) pairs with
  | [] -> []
  | (_, subjects) :: _ as pairs -> List.filter_map (change pairs) subjects

let is_regression = List.exists (fun c -> c.verdict = Compare.Slower)

let shown c value =
  match String.split_on_char ' ' c.unit_ with
  | [ "s" ] -> Show.seconds value
  | (("ns" | "us" | "ms") as unit_) :: _ -> Show.digits value ^ " " ^ unit_
  | _ -> Printf.sprintf "%.2f" value

let row c =
  [
    c.kernel;
    c.what;
    shown c c.before;
    shown c c.now;
    Show.times c.ratio;
    Printf.sprintf "%.2f-%.2f" c.low c.high;
  ]

let table changes : Table.t =
  let rank c = match c.verdict with Compare.Slower -> 0 | Faster -> 1 | Same -> 2 in
  let ranked = List.stable_sort (fun a b -> Int.compare (rank a) (rank b)) changes in
  {
    title = "guarded";
    notes =
      [ "medians over the pairs; time after over time before, and its middle half; more is slower" ];
    header = [ "kernel"; "what"; "before"; "now"; "ratio"; "between" ];
    rows = List.map row ranked;
  }

let summary changes =
  let line verdict =
    let name c = Printf.sprintf "%s %s (%s)" c.kernel c.what (Show.times c.ratio) in
    match List.filter (fun c -> c.verdict = verdict) changes with
    | [] -> "nothing is " ^ word verdict
    | found -> word verdict ^ ": " ^ String.concat "; " (List.map name found)
  in
  line Slower ^ "\n" ^ line Faster
