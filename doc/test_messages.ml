(* Every message of the library stands on the page messages.mld: what the sources give to the functions and exceptions
   that tell users something, but for the names of functions and what is filled in. *)

let read file = In_channel.with_open_bin file In_channel.input_all
let tellers = [ "invalid_arg"; "failwith"; "eprintf"; "prerr_endline"; "say"; "say_once" ]
let exceptions = [ "Invalid_argument"; "Failure"; "Sys_error" ]

(* The constant texts in what is given to one of these. *)
let texts structure =
  let found = ref [] in
  let within =
    {
      Ast_iterator.default_iterator with
      expr =
        (fun it e ->
          (match e.pexp_desc with
          | Pexp_constant { pconst_desc = Pconst_string (text, _, _); _ } -> found := text :: !found
          | _ -> ());
          Ast_iterator.default_iterator.expr it e);
    }
  in
  let expr (it : Ast_iterator.iterator) (e : Parsetree.expression) =
    (match e.pexp_desc with
    | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, arguments)
      when List.mem (Longident.last txt) tellers ->
        List.iter (fun (_, argument) -> within.expr within argument) arguments
    | Pexp_construct ({ txt; _ }, Some argument) when List.mem (Longident.last txt) exceptions ->
        within.expr within argument
    | _ -> ());
    Ast_iterator.default_iterator.expr it e
  in
  let it = { Ast_iterator.default_iterator with expr } in
  it.structure it structure;
  !found

(* One space for each stretch of white space; the page's markup of code is left out. *)
let plain text =
  String.concat " "
    (List.filter (( <> ) "")
       (String.split_on_char ' ' (String.map (function '\n' | '[' | ']' -> ' ' | c -> c) text)))

(* What is filled in divides a message. The name of a function ends with a colon. *)
let parts text =
  let divided = Str.split (Str.regexp "%[a-zA-Z!]\\|[\n]") text in
  let without_name part =
    Str.replace_first (Str.regexp "^ *[A-Z][A-Za-z_.0-9]*: *\\|^: ") "" part
  in
  let trimmed part = plain (without_name part) in
  let has_words part =
    Str.string_match (Str.regexp ".*[a-z<] *[ a-z0-9]") part 0 && String.contains part ' '
  in
  List.filter has_words (List.map trimmed divided)

let rec sources folder =
  let inside name =
    let path = Filename.concat folder name in
    if Sys.is_directory path then sources path
    else if Filename.check_suffix name ".ml" then [ path ]
    else []
  in
  List.concat_map inside (Array.to_list (Sys.readdir folder))

let () =
  let page = plain (read "messages.mld") in
  let is_told part =
    match Str.search_forward (Str.regexp_string part) page 0 with
    | _ -> true
    | exception Not_found -> false
  in
  let missing file =
    let structure = Parse.implementation (Lexing.from_string (read file)) in
    List.filter_map
      (fun part -> if is_told part then None else Some (file ^ ": " ^ part))
      (List.concat_map parts (texts structure))
  in
  let folders = List.tl (Array.to_list Sys.argv) in
  match List.concat_map missing (List.concat_map sources folders) with
  | [] -> ()
  | missing ->
      prerr_endline
        ("These messages are not on the page messages.mld:\n" ^ String.concat "\n" missing);
      exit 1
