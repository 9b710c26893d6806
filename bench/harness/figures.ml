open Drover_show

let picture (t : Store.t) =
  Chart.speedups ~machine:(Machine.name t.machine) (Outcome.programs t.kernels)

let save_picture file t =
  match picture t with
  | None -> Error (file ^ ": there is no program that was measured on several domains")
  | Some picture ->
      let svg = Picture.to_svg picture ~style:Html.picture_style in
      Ok (Destination.write file (fun oc -> output_string oc svg))

(* Tables *)

let header domains =
  let on name = Printf.sprintf "%s, %d domains" name domains in
  [ "program"; "serial"; "Drover, 1 domain"; on "Drover"; on "Domainslib" ]

let rows ~domains os =
  let faster o =
    match Outcome.find o ~version:"drover" ~domains with
    | Some row -> Outcome.vs_serial o row
    | None -> 0.
  in
  let row (o : Outcome.t) =
    let find version domains =
      match Outcome.find o ~version ~domains with
      | None -> "-"
      | Some row -> Show.times (Outcome.vs_serial o row) ^ if Outcome.is_noisy row then " ?" else ""
    in
    let serial = Option.get (Outcome.find o ~version:Outcome.serial ~domains:1) in
    [
      o.kernel;
      Show.seconds (Stats.median serial.samples);
      find "drover" 1;
      find "drover" domains;
      find "domainslib" domains;
    ]
  in
  List.map row (List.sort (fun a b -> Float.compare (faster b) (faster a)) os)

let most = List.fold_left (fun n o -> Int.max n (Outcome.most_domains o)) 1

let markdown os =
  let domains = most os in
  let line cells = "| " ^ String.concat " | " cells ^ " |\n" in
  let header = header domains in
  let rule = List.mapi (fun i _ -> if i = 0 then "---" else "---:") header in
  String.concat "" (List.map line (header :: rule :: rows ~domains os))

let odoc os =
  let domains = most os in
  let cell kind text = Printf.sprintf "{%s %s}" kind text in
  let line kind cells = "{tr " ^ String.concat " " (List.map (cell kind) cells) ^ "}\n" in
  "{table\n"
  ^ String.concat "" (line "th" (header domains) :: List.map (line "td") (rows ~domains os))
  ^ "}\n"

(* The README *)

let opening = "<!-- figures -->\n"
let closing = "<!-- end of figures -->\n"

let find text part =
  let n = String.length part in
  let rec go i =
    if i + n > String.length text then None
    else if String.sub text i n = part then Some i
    else go (i + 1)
  in
  go 0

let update_readme file (t : Store.t) =
  let text = In_channel.with_open_bin file In_channel.input_all in
  match (find text opening, find text closing) with
  | Some start, Some finish when start < finish ->
      let before = String.sub text 0 (start + String.length opening) in
      let after = String.sub text finish (String.length text - finish) in
      let table = markdown (Outcome.programs t.kernels) in
      Ok (Destination.write file (fun oc -> output_string oc (before ^ table ^ after)))
  | _ -> Error (Printf.sprintf "%s: it lacks the lines %S and %S" file opening closing)

(* The manual *)

let parameter (t : Store.t) name = Option.value (List.assoc_opt name t.parameters) ~default:"-"

let inline picture =
  let svg = Picture.to_svg picture ~style:Html.picture_style in
  "{%html:" ^ svg ^ "%}\n"

let save_page file (t : Store.t) =
  let real = Outcome.programs t.kernels and small = Outcome.loops t.kernels in
  let part title os = if os = [] then "" else Printf.sprintf "\n{1 %s}\n\n%s" title (odoc os) in
  let text =
    Printf.sprintf
      "{0 Figures}\n\n\
       How fast real programs are with Drover, beside serial OCaml and Domainslib: medians of \
       [bench --size %s --runs %s] on %s, of %s, Drover %s. Speed-ups are over the serial program; \
       a question mark stands where even the middle half of the samples differ by more than a \
       tenth. The page is made from [bench/figures.json] by [dune build @figures]; {!page-tools} \
       tells how to measure on your machine.\n\n\
       %s%s%s"
      (parameter t "size") (parameter t "runs") (Machine.name t.machine) (parameter t "date")
      (parameter t "drover")
      (Option.fold (picture t) ~none:"" ~some:inline)
      (part "Programs" real) (part "Loops and forks" small)
  in
  Destination.write file (fun oc -> output_string oc text)
