(* Makes a program of the examples in the reference. A block of code in an interface is OCaml: a phrase of it
   that is an expression says something that is true, such as [Drover.Array.map succ [| 1; 2 |] = [| 2; 3 |]],
   and definitions are for the blocks after them. Each value has such a block, unless it is the standard
   library's or deprecated, and none is too wide for a page.

     reference.exe INTERFACE...      prints the program; fails where an example is missing or too wide *)

let read file = In_channel.with_open_bin file In_channel.input_all

(* The blocks of a text: the number of the first line in each, and its lines. *)
let blocks text =
  let closes line = line = "]}" || String.starts_with ~prefix:"]} " line in
  let step (n, inside, found) line =
    match (inside, String.trim line) with
    | None, "{[" -> (n + 1, Some (n + 1, []), found)
    | Some (first, lines), line when closes line -> (n + 1, None, (first, List.rev lines) :: found)
    | Some (first, lines), _ -> (n + 1, Some (first, line :: lines), found)
    | None, _ -> (n + 1, None, found)
  in
  let _, _, found = List.fold_left step (1, None, []) (String.split_on_char '\n' text) in
  List.rev found

(* A phrase with its place in the interface, where the compiler then points to. *)
let program_of file (first, lines) =
  let text = String.concat "\n" lines in
  let part (loc : Location.t) =
    let start = loc.loc_start.pos_cnum in
    String.sub text start (loc.loc_end.pos_cnum - start)
  in
  let phrase (item : Parsetree.structure_item) =
    let line = first + item.pstr_loc.loc_start.pos_lnum - 1 in
    let place = Printf.sprintf "# %d %S\n" line file in
    match item.pstr_desc with
    | Pstr_eval (e, _) ->
        Printf.sprintf "let () = check \"%s, line %d\" @@ fun () ->\n%s (%s)\n" file line place
          (part e.pexp_loc)
    | _ -> place ^ part item.pstr_loc ^ "\n"
  in
  List.map phrase (Parse.implementation (Lexing.from_string text))

let doc_of (attributes : Parsetree.attributes) =
  let text (a : Parsetree.attribute) =
    match (a.attr_name.txt, a.attr_payload) with
    | ( "ocaml.doc",
        PStr
          [
            {
              pstr_desc =
                Pstr_eval
                  ({ pexp_desc = Pexp_constant { pconst_desc = Pconst_string (s, _, _); _ }; _ }, _);
              _;
            };
          ] ) ->
        Some s
    | _ -> None
  in
  match List.filter_map text attributes with [] -> None | texts -> Some (String.concat "\n" texts)

(* As in the pages, so that nobody has to scroll sideways. *)
let widest = 80

let indentation line =
  let rec from i = if i < String.length line && line.[i] = ' ' then from (i + 1) else i in
  from 0

let too_wide (first, lines) =
  let indentation = match lines with [] -> 0 | line :: _ -> indentation line in
  let wide i line = if String.length line - indentation > widest then Some (first + i) else None in
  List.filter_map Fun.id (List.mapi wide lines)

let has part text =
  match Str.search_forward (Str.regexp_string part) text 0 with
  | _ -> true
  | exception Not_found -> false

let rec without_example within (item : Parsetree.signature_item) =
  match item.psig_desc with
  | Psig_value { pval_name; pval_attributes; _ } -> (
      let deprecated (a : Parsetree.attribute) = a.attr_name.txt = "deprecated" in
      match doc_of pval_attributes with
      | Some doc
        when blocks doc = []
             && (not (has "is [Stdlib." doc))
             && not (List.exists deprecated pval_attributes) ->
          [ within ^ pval_name.txt ]
      | _ -> [])
  | Psig_module
      { pmd_name = { txt = Some name; _ }; pmd_type = { pmty_desc = Pmty_signature items; _ }; _ }
    ->
      List.concat_map (without_example (within ^ name ^ ".")) items
  | _ -> []

let () =
  let files = List.tl (Array.to_list Sys.argv) in
  let of_file file =
    let text = read file in
    let missing =
      List.concat_map (without_example "") (Parse.interface (Lexing.from_string text))
    in
    let wide = List.concat_map too_wide (blocks text) in
    List.iter (Printf.eprintf "%s: %s has no example\n" file) missing;
    let tell_wide line =
      Printf.eprintf "%s, line %d: the example is wider than %d columns\n" file line widest
    in
    List.iter tell_wide wide;
    if missing <> [] || wide <> [] then exit 1;
    String.concat "" (List.concat_map (program_of file) (blocks text))
  in
  let modules =
    List.map (fun f -> Printf.sprintf "module _ = struct\n%s\nend\n" (of_file f)) files
  in
  print_string (String.concat "" modules)
