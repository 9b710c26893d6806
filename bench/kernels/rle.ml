type t = { width : int; height : int; alive : (int * int) list }

exception Bad of int * string

let bad line fmt = Printf.ksprintf (fun why -> raise (Bad (line, why))) fmt
let is_comment line = line = "" || line.[0] = '#'

let check_rule line rule =
  match String.uppercase_ascii (String.trim rule) with
  | "B3/S23" | "23/3" -> ()
  | other -> bad line "the rule is %s; only B3/S23 is supported" other

let dimension line name value =
  match int_of_string_opt (String.trim value) with
  | Some n when n > 0 -> n
  | _ -> bad line "%s is not a positive number: %S" name (String.trim value)

(* "x = 3, y = 3, rule = B3/S23"; the rule may be left out. *)
let header line text =
  let field part =
    match String.split_on_char '=' part with
    | [ name; value ] -> (String.trim name, value)
    | _ -> bad line "expected a header such as \"x = 3, y = 3\", found %S" text
  in
  let fields = List.map field (String.split_on_char ',' text) in
  let number name =
    match List.assoc_opt name fields with
    | Some value -> dimension line name value
    | None -> bad line "the header does not give %s" name
  in
  Option.iter (check_rule line) (List.assoc_opt "rule" fields);
  (number "x", number "y")

type cursor = { column : int; row : int; count : int option; cells : (int * int) list }

let alive line ~width ~height c n =
  if c.column + n > width || c.row >= height then
    bad line "a cell lies outside of the %d x %d that the header gives" width height;
  List.init n (fun i -> (c.column + i, c.row))

let step line ~width ~height c ch =
  let n = Option.value c.count ~default:1 in
  match ch with
  | '0' .. '9' ->
      let count = (10 * Option.value c.count ~default:0) + Char.code ch - Char.code '0' in
      if count > 1_000_000 then bad line "a run is too long";
      { c with count = Some count }
  | 'b' -> { c with column = c.column + n; count = None }
  | 'o' ->
      let cells = List.rev_append (alive line ~width ~height c n) c.cells in
      { c with column = c.column + n; count = None; cells }
  | '$' -> { c with column = 0; row = c.row + n; count = None }
  | ' ' | '\t' | '\r' -> c
  | ch -> bad line "unexpected %C: a pattern consists of digits, b, o, $ and a final !" ch

(* Up to the first "!"; what follows it is a comment. *)
let rec body ~width ~height c = function
  | [] -> bad 0 "the pattern does not end with !"
  | (line, text) :: rest -> (
      let cells, ends =
        match String.index_opt text '!' with
        | Some i -> (String.sub text 0 i, true)
        | None -> (text, false)
      in
      let c = String.fold_left (step line ~width ~height) c cells in
      match ends with true -> c.cells | false -> body ~width ~height c rest)

let parse text =
  let lines = List.mapi (fun i line -> (i + 1, line)) (String.split_on_char '\n' text) in
  match List.filter (fun (_, line) -> not (is_comment (String.trim line))) lines with
  | [] -> Error "there is no header"
  | (line, first) :: rest -> (
      match
        let width, height = header line first in
        {
          width;
          height;
          alive = body ~width ~height { column = 0; row = 0; count = None; cells = [] } rest;
        }
      with
      | pattern -> Ok pattern
      | exception Bad (0, why) -> Error why
      | exception Bad (line, why) -> Error (Printf.sprintf "line %d: %s" line why))

let read file =
  match In_channel.with_open_bin file In_channel.input_all with
  | exception Sys_error why -> Error why
  | text -> Result.map_error (fun why -> file ^ ": " ^ why) (parse text)
