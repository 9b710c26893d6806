(* Makes a program of the blocks of code in pages. Each is a module that exports nothing, as is a file of an
   executable: what it defines it has to use.

     paste.exe LIBRARY PAGE...      of the blocks that need this library, or of those that need only drover *)

open Pages

let libraries = [ "ppx_drover"; "drover.batched"; "drover-eio" ]

let matches pattern text =
  let rec from i =
    match Str.search_forward pattern text i with
    | exception Not_found -> []
    | _ ->
        let found = Str.matched_group 1 text in
        found :: from (Str.match_end ())
  in
  from 0

let items text = Parse.implementation (Lexing.from_string text)

let defined (item : Parsetree.structure_item) =
  let variable (b : Parsetree.value_binding) =
    match b.pvb_pat.ppat_desc with Ppat_var { txt; _ } -> Some txt | _ -> None
  in
  match item.pstr_desc with
  | Pstr_value (_, bindings) -> List.filter_map variable bindings
  | Pstr_module { pmb_name = { txt = Some name; _ }; _ } -> [ name ]
  | _ -> []

(* The definition of a name, in one of the blocks of its page. *)
let definition page name =
  let of_block part =
    match part with
    | Code (_, block) ->
        let text = String.concat "\n" block in
        let defines item = List.mem name (defined item) in
        let part (item : Parsetree.structure_item) =
          let start = item.pstr_loc.loc_start.pos_cnum in
          String.sub text start (item.pstr_loc.loc_end.pos_cnum - start)
        in
        Option.map part (List.find_opt defines (items text))
    | _ -> None
  in
  match List.find_map of_block page with
  | Some text -> text
  | None -> failwith ("no block defines " ^ name)

(* What stands in a file before a block of it. *)
let rec before block = function
  | [] -> failwith "the file does not have the block"
  | lines when is_prefix block lines -> []
  | line :: lines -> line :: before block lines

let all_before = Str.regexp_string "all that stands before it"

let needed page block needs source =
  match Str.search_forward all_before needs 0 with
  | _ -> String.concat "\n" (before block (lines (read source)))
  | exception Not_found ->
      let names = matches (Str.regexp "\\[\\([A-Za-z_]+\\)\\]") needs in
      let names = List.filter (fun name -> not (List.mem name ("eio_main" :: libraries))) names in
      String.concat "\n" (List.map (definition page) names)

let library_of needs =
  let names = matches (Str.regexp "\\[\\([a-z_.-]+\\)\\]") needs in
  Option.value (List.find_opt (fun l -> List.mem l libraries) names) ~default:"drover"

(* The blocks, with what they need and their files. *)
let rec blocks = function
  | Code (first, block) :: rest ->
      let needs = match rest with Needs line :: _ -> line | _ -> "" in
      let source = List.find_map (function Source file -> Some file | _ -> None) rest in
      (first, block, needs, Option.get source) :: blocks rest
  | _ :: rest -> blocks rest
  | [] -> []

let () =
  let library = Sys.argv.(1) in
  let pages = Array.to_list (Array.sub Sys.argv 2 (Array.length Sys.argv - 2)) in
  let pasted page file (first, block, needs, source) =
    if library_of needs = library then
      Printf.printf "module _ : sig end = struct\n%s\n# %d %S\n%s\nend\n\n"
        (needed page block needs source) first file (String.concat "\n" block)
  in
  let of_page file =
    let page = parts_of file in
    List.iter (pasted page file) (blocks page)
  in
  List.iter of_page pages
