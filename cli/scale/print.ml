open Drover_harness
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

let predictions m : Table.t =
  let row cores =
    let p = S.predict m ~cores in
    string_of_int cores :: List.map Show.times [ p.lower; p.likely; p.upper ]
  in
  {
    title = "predicted speed-up";
    notes = [];
    header = [ "cores"; "at least"; "likely"; "at most" ];
    rows = List.map row cores;
  }

let with_bars m (t : Table.t) : Table.t =
  let bars = List.map (fun cores -> bar (S.predict m ~cores)) cores in
  let width = List.fold_left (fun w b -> Int.max w (String.length b)) 0 bars in
  let pad b = b ^ String.make (width - String.length b) ' ' in
  { t with header = t.header @ [ "" ]; rows = List.map2 (fun row b -> row @ [ pad b ]) t.rows bars }

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
    header = [ "fork, loop or task"; "calls"; "of the span"; "of the work"; "parallelism" ];
    rows = List.map row (List.take most_sites m.sites);
  }

let figures (m : S.t) =
  let outside = S.outside m in
  [
    (Show.seconds m.work, "work", "on one core");
    (Show.seconds m.span, "span", "on infinitely many");
    (Show.digits (S.parallelism m), "parallelism", "no number of cores is faster by more");
    ( Show.digits (S.burdened_parallelism m),
      "burdened",
      Printf.sprintf "if each fork costs a steal of %s" (Show.seconds S.default_steal) );
    ( Show.percent outside,
      "serial",
      if outside > 0. then
        Printf.sprintf "outside any fork, loop or task: at most %s, by Amdahl's law"
          (Show.times (1. /. outside))
      else "outside any fork, loop or task" );
  ]

(* What to do about it. *)
let advice (m : S.t) =
  let enough = 10. *. 8. in
  match m.sites with
  | first :: _ when S.burdened_parallelism m < enough && first.place = "outside" ->
      [ "Most of the span is in code that forks nothing: divide that first." ]
  | first :: _ when S.parallelism m < enough ->
      [ Printf.sprintf "Most of the span is in %s: divide what it runs further." first.place ]
  | first :: _ when S.burdened_parallelism m < enough ->
      [
        Printf.sprintf
          "The pieces are small beside the cost of a steal: let %s do more in each, or call it \
           less often on more."
          first.place;
      ]
  | _ -> []

let row ppf (value, what, why) =
  Fmt.pf ppf "  %14s  %a  %s@." value Fmt.(styled `Bold (fun ppf -> pf ppf "%-11s")) what why

let pp program ppf m =
  Fmt.pf ppf "@.%a@.@." Fmt.(styled `Bold (fun ppf -> pf ppf "%s")) program;
  List.iter (row ppf) (figures m);
  Fmt.pf ppf "@.%a" Table.pp (with_bars m (predictions m));
  Fmt.pf ppf "%a" Table.pp (sites m);
  List.iter
    (fun text -> Fmt.pf ppf "%a @[%a@]@." Fmt.(styled `Yellow string) "*" Fmt.text text)
    (advice m)

let to_json program (m : S.t) : Yojson.Safe.t =
  let prediction cores =
    let p = S.predict m ~cores in
    `Assoc
      [
        ("cores", `Int cores);
        ("lower", `Float p.lower);
        ("likely", `Float p.likely);
        ("upper", `Float p.upper);
      ]
  and site (s : S.site) =
    `Assoc
      [
        ("place", `String s.place);
        ("calls", `Int s.calls);
        ("work", `Float s.work);
        ("span", `Float s.span);
      ]
  in
  `Assoc
    [
      ("program", `String program);
      ("work", `Float m.work);
      ("span", `Float m.span);
      ("burdened_span", `Float m.burdened_span);
      ("parallelism", `Float (S.parallelism m));
      ("burdened_parallelism", `Float (S.burdened_parallelism m));
      ("serial_share", `Float (S.outside m));
      ("speedup", `List (List.map prediction cores));
      ("sites", `List (List.map site m.sites));
    ]
