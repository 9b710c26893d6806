(* What an OCaml source mentions, read with the compiler's own lexer and parser, so that comments,
   strings and local modules do not mislead. *)

module Names = Misc.Stdlib.String.Set

(* The modules that a file uses and does not define, as ocamldep has them. *)
let free_modules ~file text =
  let lexbuf = Lexing.from_string text in
  Location.init lexbuf file;
  Depend.free_structure_names := Names.empty;
  let empty = Misc.Stdlib.String.Map.empty in
  if Filename.check_suffix file ".mli" then Depend.add_signature empty (Parse.interface lexbuf)
  else Depend.add_implementation empty (Parse.implementation lexbuf);
  Names.elements !Depend.free_structure_names

let tokens text =
  let lexbuf = Lexing.from_string text in
  Lexer.init ();
  let rec all acc =
    match Lexer.token lexbuf with Parser.EOF -> List.rev acc | token -> all (token :: acc)
  in
  all []

(* The dotted paths of a file: [A.B.c] is [["A"; "B"; "c"]]. *)
let paths text =
  let rec path = function
    | Parser.UIDENT m :: DOT :: (UIDENT _ :: _ as rest) ->
        let names, rest = path rest in
        (m :: names, rest)
    | UIDENT m :: DOT :: LIDENT v :: rest -> ([ m; v ], rest)
    | UIDENT m :: rest -> ([ m ], rest)
    | rest -> ([], rest)
  in
  let rec all acc = function
    | [] -> List.rev acc
    | Parser.UIDENT _ :: _ as tokens ->
        let names, rest = path tokens in
        all (names :: acc) rest
    | _ :: rest -> all acc rest
  in
  all [] (tokens text)

(* Whether a file may reach the value [v] of module [m]: it names [m.v], or [m] alone, as [open m]
   does. *)
let reaches m v text =
  let ends_in_it names =
    match List.rev names with
    | last :: before :: _ when last = v -> before = m
    | last :: _ -> last = m
    | [] -> false
  in
  List.exists ends_in_it (paths text)

(* Whether a file has the string literal [s]. *)
let has_string s text =
  List.exists (function Parser.STRING (found, _, _) -> found = s | _ -> false) (tokens text)

(* Whether a file names the value [v], as it does where it defines it. *)
let has_name v text = List.mem (Parser.LIDENT v) (tokens text)

(* Whether a file names the module [m], for more than its constructor [c]. *)
let mentions_more_than c m text =
  let is_more names = List.mem m names && List.nth names (List.length names - 1) <> c in
  List.exists is_more (paths text)
