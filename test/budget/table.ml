(* The table: a text with a line for each path, and in each column a cell. Lines that begin with # explain
   it. *)

type cell = Empty | Exactly of int | At_most of int
type row = { name : string; cells : cell list }
type t = { head : string list; rows : row list }

let columns = [ "words"; "writes"; "calls"; "files"; "KB" ]

let print_cell = function
  | Empty -> "-"
  | Exactly n -> string_of_int n
  | At_most n -> Printf.sprintf "<=%d" n

let cell = function
  | "-" -> Empty
  | text -> (
      match Scanf.sscanf_opt text "<=%d%!" Fun.id with
      | Some n -> At_most n
      | None -> Exactly (int_of_string text))

let print_line name cells =
  String.concat "" (Printf.sprintf "%-26s" name :: List.map (Printf.sprintf " %8s") cells)

(* A name may contain spaces, and no cell does. *)
let row line =
  let words = List.rev (List.filter (( <> ) "") (String.split_on_char ' ' line)) in
  let n = List.length columns in
  {
    name = String.concat " " (List.rev (List.drop n words));
    cells = List.rev_map cell (List.take n words);
  }

let read file =
  let lines = In_channel.with_open_text file In_channel.input_lines in
  let head, rest = List.partition (String.starts_with ~prefix:"#") lines in
  { head; rows = List.map row (List.tl rest (* the names of the columns *)) }

let write file { head; rows } =
  let print_row { name; cells } = print_line name (List.map print_cell cells) in
  let lines = head @ (print_line "" columns :: List.map print_row rows) in
  Out_channel.with_open_text file (fun channel ->
      List.iter (fun line -> Printf.fprintf channel "%s\n" line) lines)
