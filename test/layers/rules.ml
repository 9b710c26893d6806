(* The rules of the house, checked over a folder that is laid out like it. *)

type violation = { file : string; uses : string; rule : string }

let pp ppf { file; uses; rule } = Format.fprintf ppf "%s uses %s: %s" file uses rule
let read root file = In_channel.with_open_bin (Filename.concat root file) In_channel.input_all

(* What dune makes of a source on the way to a compiler comes and goes while the test runs. *)
let is_preprocessed file = Filename.(check_suffix (remove_extension file) ".pp")

(* Every file below [root], named from there. Hidden folders and those of builds are not sources. *)
let walk root =
  let rec below folder =
    let entries = Sys.readdir (Filename.concat root folder) in
    Array.sort compare entries;
    List.concat_map
      (fun entry ->
        let path = if folder = "" then entry else Filename.concat folder entry in
        if entry.[0] = '.' || entry.[0] = '_' || is_preprocessed entry then []
        else if Sys.is_directory (Filename.concat root path) then below path
        else [ path ])
      (Array.to_list entries)
  in
  below ""

let is_source file = List.exists (Filename.check_suffix file) [ ".ml"; ".mli" ]
let module_of file = String.capitalize_ascii (Filename.remove_extension (Filename.basename file))

let order =
  let floor layers =
    match layers with [ layer ] -> layer | _ -> "{" ^ String.concat ", " layers ^ "}"
  in
  "a layer uses itself and those to the left of "
  ^ String.concat " <- " (List.map floor House.floors)

(* Modules of one library, so a module is known by its name. What is in other libraries, the compiler
   sees to. *)
let check_modules files (file, layer, text) =
  let library = House.library_of layer in
  let owner name =
    List.find_map
      (fun (f, l, _) -> if House.library_of l = library && module_of f = name then Some l else None)
      files
  in
  let check name =
    match if library = None then None else owner name with
    | Some used when not (House.may_use layer used) ->
        [ { file; uses = Printf.sprintf "%s of %s" name used; rule = order } ]
    | _ when library <> Some "src/drover" && String.starts_with ~prefix:"Drover__" name ->
        [ { file; uses = name; rule = "outside src only Drover is used, not what is inside it" } ]
    | _ -> []
  in
  List.concat_map check (Source.free_modules ~file text)

let check_values (file, layer, text) =
  let forbid where found uses rule = if where && found text then [ { file; uses; rule } ] else [] in
  let no_scheduling = House.is_library layer && House.library_of layer <> Some "src/engine" in
  forbid true (Source.reaches "Obj" "magic") "Obj.magic" "nothing in the house does"
  @ forbid no_scheduling (Source.reaches "Domain" "spawn") "Domain.spawn"
      "of the libraries only the engine starts domains"
  @ forbid no_scheduling
      (Source.mentions_more_than "Unhandled" "Effect")
      "Effect" "of the libraries only the engine performs or handles effects"

(* Libraries: who depends on whom is written in the dune files. *)
let check_libraries dunes (file, layer, stanzas) =
  let names = List.concat_map (fun s -> Sexp.fields "name" s @ Sexp.fields "public_name" s) in
  let is_library = function Sexp.List (Atom "library" :: _) -> true | _ -> false in
  let owner library =
    List.find_map
      (fun (_, l, stanzas) ->
        if List.mem library (names (List.filter is_library stanzas)) then Some l else None)
      dunes
  in
  let check library =
    match owner library with
    | Some used when not (House.may_use layer used) ->
        [ { file; uses = Printf.sprintf "library %s of %s" library used; rule = order } ]
    | _ -> []
  in
  List.concat_map check (List.concat_map (Sexp.fields "libraries") stanzas)

(* Reports leave out what is our own by the names in [frames]. A wrapped library's modules begin with
   its name. *)
let frames = "src/seen/call_site.ml"

let check_frames sources (file, layer, stanzas) =
  let check text stanza =
    match stanza with
    | Sexp.List (Atom "library" :: _) when Sexp.fields "wrapped" stanza <> [ "false" ] ->
        let own = List.map String.capitalize_ascii (Sexp.fields "name" stanza) in
        List.filter (fun name -> not (Source.has_string name text)) own
        |> List.map (fun uses -> { file; uses; rule = "every library is among those of " ^ frames })
    | _ -> []
  in
  match List.find_opt (fun (f, _, _) -> f = frames) sources with
  | Some (_, _, text) when House.is_library layer -> List.concat_map (check text) stanzas
  | _ -> []

(* ThreadSanitizer is seldom run, so a suppression of what goes by another name now is noticed here. It
   names a file, or a module and perhaps a function. *)
let suppressions = "src/drover/tsan.supp"
let is_comment line = line = "" || line.[0] = '#'

let check_suppression sources line =
  let is_meant module_name value (file, layer, text) =
    House.is_library layer
    && module_of file = module_name
    && (value = "" || Source.has_name value text)
  in
  let exists =
    match String.split_on_char ':' line with
    | [ _; name ] when is_source name -> List.exists (fun (file, _, _) -> file = name) sources
    | [ _; name ] -> List.exists (Scanf.sscanf name "camlDrover%_[a-z_]%[^.].%s" is_meant) sources
    | _ -> false
  in
  if exists then [] else [ { file = suppressions; uses = line; rule = "it must exist" } ]

let check_suppressions root files sources =
  if List.mem suppressions files then
    String.split_on_char '\n' (read root suppressions)
    |> List.filter (Fun.negate is_comment)
    |> List.concat_map (check_suppression sources)
  else []

(* [check root] is every breach of the rules below [root]. *)
let check root =
  let placed keep content =
    List.filter_map (fun file ->
        match House.layer_of file with
        | Some layer when keep file -> Some (file, layer, content (read root file))
        | _ -> None)
  in
  let files = walk root in
  let sources = placed is_source Fun.id files in
  let dunes = placed (fun file -> Filename.basename file = "dune") Sexp.parse files in
  let homeless =
    List.filter (fun file -> is_source file && House.layer_of file = None) files
    |> List.map (fun file ->
        { file; uses = "no layer"; rule = "every source is in a folder that house.ml names" })
  in
  homeless
  @ List.concat_map (check_modules sources) sources
  @ List.concat_map check_values sources
  @ List.concat_map (check_libraries dunes) dunes
  @ List.concat_map (check_frames sources) dunes
  @ check_suppressions root files sources
