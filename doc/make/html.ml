(* Just enough of HTML to read odoc's pages. *)

type token = Text of string | Opening of { tag : string; attributes : string } | Closing of string

let entity buffer name =
  let code s = Option.map Uchar.of_int (int_of_string_opt s) in
  let numeric = String.starts_with ~prefix:"#" name in
  let number () = String.sub name 1 (String.length name - 1) in
  match name with
  | "amp" -> Buffer.add_char buffer '&'
  | "lt" -> Buffer.add_char buffer '<'
  | "gt" -> Buffer.add_char buffer '>'
  | "quot" -> Buffer.add_char buffer '"'
  | _ when numeric && String.starts_with ~prefix:"#x" name ->
      Option.iter (Buffer.add_utf_8_uchar buffer) (code ("0" ^ number ()))
  | _ when numeric -> Option.iter (Buffer.add_utf_8_uchar buffer) (code (number ()))
  | _ -> Buffer.add_char buffer ' '

let decoded text =
  let buffer = Buffer.create (String.length text) in
  let part = function
    | Str.Text s -> Buffer.add_string buffer s
    | Str.Delim d -> entity buffer (String.sub d 1 (String.length d - 2))
  in
  List.iter part (Str.full_split (Str.regexp "&[#A-Za-z0-9]+;") text);
  Buffer.contents buffer

let token = function
  | Str.Text s -> Text (decoded s)
  | Str.Delim d -> (
      let inside = String.sub d 1 (String.length d - 2) in
      let name = List.hd (Str.bounded_split_delim (Str.regexp "[ \n]") inside 2) in
      match String.starts_with ~prefix:"/" name with
      | true -> Closing (String.sub name 1 (String.length name - 1))
      | false -> Opening { tag = name; attributes = inside })

let tokens text = List.map token (Str.full_split (Str.regexp "<[^>]*>") text)

let attribute name attributes =
  match Str.search_forward (Str.regexp (name ^ "=\"\\([^\"]*\\)\"")) attributes 0 with
  | exception Not_found -> None
  | _ -> Some (decoded (Str.matched_group 1 attributes))

let is_heading tag = String.length tag = 2 && tag.[0] = 'h' && '1' <= tag.[1] && tag.[1] <= '6'

(* Without what is in these elements: they do not belong to the text of a page. *)
let rec body = function
  | Opening { tag = ("head" | "nav" | "svg" | "script" | "style") as tag; _ } :: rest ->
      let rec after = function
        | Closing t :: rest when t = tag -> rest
        | _ :: rest -> after rest
        | [] -> []
      in
      body (after rest)
  | token :: rest -> token :: body rest
  | [] -> []
