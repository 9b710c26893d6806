(* The manual as GitHub shows it: what odoc makes of it as Markdown, in one folder, and

   - with anchors where links lead to and GitHub would make none;
   - with links to the pages of modules;
   - with pictures as files beside the pages, for GitHub drops those inside. *)

let replace pattern template = Str.global_replace (Str.regexp pattern) template

(* Pages link to others of their package, and of the next one; a constructor stands where its type does.
   Sources stand beside the web pages, but not in this folder. *)
let relinked line =
  line
  |> replace "#type-\\([a-z_]+\\)\\.[A-Za-z_]+)" "#type-\\1)"
  |> replace "](\\./\\(\\.\\./[a-z_-]+/\\)?" "]("
  |> replace "](index\\.md" "](README.md"
  |> replace "src=\"\\.\\./pictures/" "src=\""
  |> replace "](\\.\\./\\(examples\\|bench\\)/" "](../../\\1/"

(* The anchor that GitHub gives a heading. *)
let slug heading =
  let kept = function 'a' .. 'z' | '0' .. '9' | '-' | '_' -> true | c -> Char.code c > 127 in
  String.lowercase_ascii heading
  |> String.map (function ' ' -> '-' | c -> c)
  |> String.to_seq |> Seq.filter kept |> String.of_seq

let anchor id = [ Printf.sprintf "<a id=%S></a>" id; "" ]

(* The ids of the headings of a page, in order. *)
let heading_ids html =
  let id = function
    | Html.Opening { tag; attributes } when Html.is_heading tag ->
        Some (Html.attribute "id" attributes)
    | _ -> None
  in
  List.filter_map id (Html.body (Html.tokens html))

(* The id that odoc gives what a specification begins with: "val map : ..." is val-map. *)
let specification line =
  let without_parameters = replace "^\\([a-z]+\\) \\(([^)]*)\\|[!+-]*'[a-z]+\\) " "\\1 " line in
  let matches =
    Str.string_match
      (Str.regexp "\\(val\\|type\\|exception\\|module\\|module type\\) \\([A-Za-z_0-9']+\\)")
  in
  if not (matches without_parameters 0) then None
  else
    let kind = Str.matched_group 1 without_parameters in
    let name = Str.matched_group 2 without_parameters in
    if kind = "module" && name = "type" then None else Some (kind, name)

type page = {
  name : string;
  is_module : bool;
  exists : string -> bool;
  save : string -> string -> unit;
}

let described svg =
  let label = Html.attribute "aria-label" svg in
  Option.value label ~default:""

(* Alone, a picture needs its namespace, and does not know the colour of the text around it. *)
let standing_alone svg =
  if Str.string_match (Str.regexp ".*xmlns=") svg 0 then svg
  else
    let style =
      "<style>svg { color: #1f2328 } @media (prefers-color-scheme: dark) { svg { color: #e6edf3 } \
       }</style>"
    in
    Str.replace_first (Str.regexp "<svg\\([^>]*\\)>")
      ("<svg xmlns=\"http://www.w3.org/2000/svg\"\\1>\n" ^ style)
      svg

(* The lines of a page, the ids of the headings that are to come, and how many pictures there were. *)
let rec convert page ids pictures = function
  | [] -> []
  | line :: _ as lines when String.starts_with ~prefix:"<svg" line ->
      let rec picture acc = function
        | "</svg>" :: rest -> (List.rev ("</svg>" :: acc), rest)
        | last :: rest when String.ends_with ~suffix:"</svg>" last -> (List.rev (last :: acc), rest)
        | line :: rest -> picture (line :: acc) rest
        | [] -> failwith (page.name ^ ": a picture has no end")
      in
      let picture, rest = picture [] lines in
      let svg = String.concat "\n" picture ^ "\n" in
      let file = Printf.sprintf "%s-%d.svg" page.name (pictures + 1) in
      page.save file (standing_alone svg);
      Printf.sprintf "![%s](%s)" (described svg) file :: "" :: convert page ids (pictures + 1) rest
  | "```ocaml" :: specified :: rest when page.is_module && specification specified <> None -> (
      let kind, name = Option.get (specification specified) in
      let file = page.name ^ "-" ^ name ^ ".md" in
      let anchored = anchor (replace " " "-" kind ^ "-" ^ name) in
      match rest with
      | "```" :: rest when kind = "module" && page.exists file ->
          anchored
          @ (Printf.sprintf "[`module %s`](%s)\\" name file :: convert page ids pictures rest)
      | _ -> anchored @ ("```ocaml" :: specified :: code page ids pictures rest))
  | line :: rest when String.starts_with ~prefix:"```" line -> line :: code page ids pictures rest
  | line :: rest when String.starts_with ~prefix:"#" line -> (
      let heading = replace "^#+ " "" line in
      match ids with
      | Some id :: ids when id <> slug heading ->
          anchor id @ (line :: convert page ids pictures rest)
      | _ :: ids -> line :: convert page ids pictures rest
      | [] -> failwith (page.name ^ ": there is no such heading in HTML: " ^ heading))
  | line :: rest -> relinked line :: convert page ids pictures rest

and code page ids pictures = function
  | "```" :: rest -> "```" :: convert page ids pictures rest
  | line :: rest -> line :: code page ids pictures rest
  | [] -> []

(* For GitHub, a list, a table or an element of HTML goes on until a blank line. *)
let rec apart = function
  | fence :: rest when String.starts_with ~prefix:"```" fence -> fence :: within_fence rest
  | line :: (next :: _ as rest) when goes_on line && not (next = "" || goes_on next) ->
      line :: "" :: apart rest
  | line :: rest -> line :: apart rest
  | [] -> []

and within_fence = function
  | "```" :: rest -> "```" :: apart rest
  | line :: rest -> line :: within_fence rest
  | [] -> []

and goes_on line = Str.string_match (Str.regexp "|\\|- \\|[0-9]+\\. \\|  \\|<img ") line 0

let above page = if page.name = "README" then [] else [ "[Drover's manual](README.md)"; "" ]

(* The sections of a page with many of them, as links in front of the first: GitHub shows no contents beside a page. *)
let many = 8

let id_of line =
  let anchor = Str.regexp "<a id=\"\\([^\"]*\\)\"></a>$" in
  if Str.string_match anchor line 0 then Some (Str.matched_group 1 line) else None

let is_section = String.starts_with ~prefix:"## "

let rec sections = function
  | line :: "" :: heading :: rest when is_section heading && id_of line <> None ->
      (replace "^## " "" heading, Option.get (id_of line)) :: sections rest
  | heading :: rest when is_section heading ->
      let text = replace "^## " "" heading in
      (text, slug text) :: sections rest
  | _ :: rest -> sections rest
  | [] -> []

let with_contents page lines =
  let sections = sections lines in
  if page.is_module || List.length sections < many then lines
  else
    let link (text, id) = Printf.sprintf "[%s](#%s)" (replace "[][]" "" text) id in
    let contents = String.concat " ·\n" (List.map link sections) in
    let is_first line = id_of line <> None || is_section line in
    let rec insert = function
      | line :: rest when is_first line -> contents :: "" :: line :: rest
      | line :: rest -> line :: insert rest
      | [] -> []
    in
    insert lines

let of_page page ~html markdown =
  let lines = String.split_on_char '\n' (String.trim markdown) in
  let converted = apart (convert page (heading_ids html) 0 lines) in
  String.concat "\n" (above page @ with_contents page converted) ^ "\n"

(* Links *)

let matches pattern text =
  let pattern = Str.regexp pattern in
  let rec from i =
    match Str.search_forward pattern text i with
    | exception Not_found -> []
    | start ->
        let found = Str.matched_group 1 text in
        found :: from (start + 1)
  in
  from 0

let anchors text =
  List.map slug (matches "^#+ \\(.*\\)$" text) @ matches "<a id=\"\\([^\"]*\\)\"" text

(* The links of these pages, which are names and texts, that lead nowhere. *)
let broken pages =
  let anchors = List.map (fun (name, text) -> (name, anchors text)) pages in
  let leads_somewhere from link =
    match String.split_on_char '#' link with
    | [ ""; id ] -> List.mem id (List.assoc from anchors)
    | [ file ] -> List.mem_assoc file anchors
    | [ file; id ] -> List.mem id (Option.value (List.assoc_opt file anchors) ~default:[])
    | _ -> false
  in
  let of_page (name, text) =
    matches "](\\([^):]*\\(\\.md\\)?\\(#[^)]*\\)?\\))" text
    |> List.filter (fun l -> Str.string_match (Str.regexp ".*\\.md\\|#") l 0)
    |> List.filter (fun link -> not (leads_somewhere name link))
    |> List.map (fun link -> name ^ ": " ^ link)
  in
  List.concat_map of_page pages
