(* The pages of the manual, and the blocks of code and output in them. *)

let read file = In_channel.with_open_bin file In_channel.input_all
let readme = "../README.md"

let manual =
  let all = Array.to_list (Sys.readdir ".") in
  List.sort compare (List.filter (fun f -> Filename.check_suffix f ".mld") all)

(* In any language, of a line without the blanks around it. *)
let opens_block line =
  List.exists (fun o -> String.starts_with ~prefix:o line) [ "{["; "{@"; "{v"; "```" ]

let closes_block line = List.mem line [ "]}"; "v}"; "```" ]
let lines text = List.map String.trim (String.split_on_char '\n' text)

(* Code has the number of its first line. What it needs stands below it, in one line. *)
type part = Heading | Code of int * string list | Needs of string | Source of string

(* Code in other languages has other openings. *)
type syntax = { opens : string; closes : string; heading : Str.regexp }

let syntax_of file =
  if Filename.check_suffix file ".md" then
    { opens = "```ocaml"; closes = "```"; heading = Str.regexp "#+ " }
  else { opens = "{["; closes = "]}"; heading = Str.regexp "{[0-9]" }

let link = Str.regexp "\\({{:\\.\\./\\|](\\)\\(\\(examples\\|bench/programs\\)/[a-z_/]+\\.ml\\)"

let source line =
  match Str.search_forward link line 0 with
  | exception Not_found -> None
  | _ -> Some (Filename.concat ".." (Str.matched_group 2 line))

let parts { opens; closes; heading } text =
  let rec outside n = function
    | [] -> []
    | line :: rest when line = opens -> inside (n + 1) (n + 1) [] rest
    | line :: rest when Str.string_match heading line 0 -> Heading :: outside (n + 1) rest
    | line :: rest when String.starts_with ~prefix:"{e Needs " line ->
        Needs line :: outside (n + 1) rest
    | line :: rest -> (
        let parts = outside (n + 1) rest in
        match source line with Some file -> Source file :: parts | None -> parts)
  and inside first n block = function
    | [] -> failwith (Printf.sprintf "line %d: the block has no end" first)
    | line :: rest when line = closes -> Code (first, List.rev block) :: outside (n + 1) rest
    | line :: rest -> inside first (n + 1) (line :: block) rest
  in
  outside 1 (lines text)

let parts_of file = parts (syntax_of file) (read file)

let rec is_prefix block text =
  match (block, text) with
  | [], _ -> true
  | b :: block, t :: text -> b = t && is_prefix block text
  | _ :: _, [] -> false
