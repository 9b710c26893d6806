(* Makes of odoc's pages what the manual needs besides; see the script "build" beside this file. *)

let read file = In_channel.with_open_bin file In_channel.input_all
let write file text = Out_channel.with_open_bin file (fun oc -> output_string oc text)

(* All files below a folder whose names end like this, by their paths from there. *)
let rec below folder ~suffix =
  let entry name =
    let path = Filename.concat folder name in
    if Sys.is_directory path then List.map (Filename.concat name) (below path ~suffix)
    else if Filename.check_suffix name suffix then [ name ]
    else []
  in
  let names = Sys.readdir folder in
  Array.sort compare names;
  List.concat_map entry (Array.to_list names)

(* Pages in the order of the contents at their side, and then those of modules. *)
let pages folder =
  let link = function
    | Html.Opening { tag = "a"; attributes } -> Html.attribute "href" attributes
    | _ -> None
  in
  let first = Filename.concat folder "drover/index.html" in
  let contents = Array.of_list (List.filter_map link (Html.tokens (read first))) in
  let place page =
    let is_it href = Filename.basename href = Filename.basename page in
    let listed = Option.value (Array.find_index is_it contents) ~default:max_int in
    (Places.module_of page <> None, listed)
  in
  let by_place a b = compare (place a) (place b) in
  List.stable_sort by_place (below folder ~suffix:".html")

let index folder =
  let places page = Places.of_page page (read (Filename.concat folder page)) in
  print_string (Places.to_javascript (List.concat_map places (pages folder)))

(* Names of modules begin with a capital, those of other pages do not. *)
let is_module name = 'A' <= name.[0] && name.[0] <= 'Z'

(* "drover/Drover-Array.md" is "drover/Drover/Array/index.html". *)
let html_of file =
  let base = Filename.remove_extension file in
  let inner = "-\\(\\|argument-[0-9]+-\\|module-type-\\)\\([A-Z]\\)" in
  let path = Markdown.replace inner "/\\1\\2" base in
  if is_module (Filename.basename base) then path ^ "/index.html" else path ^ ".html"

let markdown ~from ~html ~into =
  let files = below from ~suffix:".md" in
  let flat file = match Filename.basename file with "index.md" -> "README.md" | base -> base in
  let names = List.map flat files in
  let page file =
    let name = Filename.remove_extension (flat file) in
    let save name text = write (Filename.concat into name) text in
    let exists name = List.mem name names in
    let is_module = is_module (Filename.basename file) in
    let html = read (Filename.concat html (html_of file)) in
    ( flat file,
      Markdown.of_page { name; is_module; exists; save } ~html (read (Filename.concat from file)) )
  in
  let pages = List.map page files in
  List.iter (fun (name, text) -> write (Filename.concat into name) text) pages;
  match Markdown.broken pages with
  | [] -> ()
  | links ->
      List.iter (Printf.eprintf "a link that leads nowhere: %s\n") links;
      exit 1

let () =
  match Sys.argv with
  | [| _; "index"; folder |] -> index folder
  | [| _; "markdown"; from; html; into |] -> markdown ~from ~html ~into
  | _ -> failwith "make (index HTML | markdown MARKDOWN HTML INTO)"
