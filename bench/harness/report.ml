open Drover_show

let plots (o : Outcome.t) =
  let legend = Plot.versions o in
  let several plot title =
    Option.map (fun picture -> (title, picture)) (plot o) |> Option.to_list
  in
  let scaling = several Plot.speedup "speed-up over serial" in
  let pauses = several Plot.pauses "number of pauses for the collector" in
  match scaling @ pauses with [] -> [] | plots -> [ Html.figures plots ~legend ]

let table o = Html.table (Tables.in_full o)
let kernel o = table o :: plots o
let probe o = Html.table (Tables.of_probe o)

let summary title os =
  if os = [] then [] else [ Html.table ~terms:Tables.terms { (Tables.summary os) with title } ]

let facts (t : Store.t) =
  Html.definitions (t.parameters @ [ ("machine", Fmt.str "%a" Machine.pp t.machine) ])

let programs = "all programs"
let kernels = "all kernels"
let loops = "loops and forks"
let words = "words"

(* Programs and kernels come first, and with them what one wants to know. *)
let to_html (t : Store.t) =
  let real = Outcome.programs t.kernels
  and middle = Outcome.kernels t.kernels
  and small = Outcome.loops t.kernels in
  let chart =
    Chart.speedups ~machine:(Machine.name t.machine) (Outcome.main t.kernels)
    |> Option.map Html.wide |> Option.to_list
  in
  let verdict = List.map Html.paragraph (Option.to_list (Tables.in_a_sentence t.kernels)) in
  let section title os = if os = [] then [] else [ title ] in
  let sections = section programs real @ section kernels middle @ section loops small in
  let names = List.map (fun (o : Outcome.t) -> o.kernel) (real @ middle @ small) in
  let probes = List.map (fun (p : Probe.outcome) -> p.probe) t.probes in
  let figures = List.map probe t.probes in
  Html.page ~title:"Drover: benchmarks"
    (verdict @ chart @ summary programs real @ summary kernels middle
    @ [ Html.contents (sections @ names @ probes @ [ words; "this session" ]) ]
    @ List.concat_map kernel (real @ middle)
    @ summary loops small @ List.map table small @ figures
    @ [ Html.section words []; Html.definitions Tables.terms ]
    @ [ Html.section "this session" []; facts t ])

let save file t = Destination.write file (fun oc -> output_string oc (to_html t))
