open Drover_show

let plots (o : Outcome.t) =
  let legend = Plot.versions o in
  let several plot title =
    Option.map (fun picture -> (title, picture)) (plot o) |> Option.to_list
  in
  let scaling = several Plot.speedup "speed-up over serial, by domains" in
  let efficiency = several Plot.efficiency "efficiency: speed-up by domain" in
  let pauses = several Plot.pauses "pauses for the collector, by length" in
  match scaling @ efficiency @ pauses with [] -> [] | plots -> [ Html.figures plots ~legend ]

let kernel o = Html.table (Tables.of_outcome o) :: plots o
let parameters ps = String.concat ", " (List.map (fun (name, v) -> name ^ " " ^ v) ps)

let to_html (t : Store.t) =
  let summary = if t.kernels = [] then [] else [ Html.table (Tables.summary t.kernels) ] in
  let probes = List.map (fun p -> Html.table (Tables.of_probe p)) t.probes in
  Html.page ~title:"Drover: benchmarks"
    (Html.paragraph (Fmt.str "%a" Machine.pp t.machine)
     :: Html.paragraph (parameters t.parameters)
     :: summary
    @ List.concat_map kernel t.kernels @ probes)

let save file t = Destination.write file (fun oc -> output_string oc (to_html t))
