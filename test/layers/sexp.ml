(* S-expressions, as dune files are written: atoms, quoted strings and ";" comments. *)

type t = Atom of string | List of t list

let is_atom = function '(' | ')' | ';' | '"' | ' ' | '\t' | '\r' | '\n' -> false | _ -> true

(* [span f text i] is the first index from [i] on where [f] does not hold. *)
let rec span f text i = if i < String.length text && f text.[i] then span f text (i + 1) else i

(* [parse text] is what [text] holds, one item after the other. *)
let parse text =
  let fail i = invalid_arg (Printf.sprintf "Sexp.parse: unexpected end or character at %d" i) in
  (* [items i acc] reads up to the closing parenthesis or the end, and is the items and where it
     stopped. *)
  let rec items i acc =
    if i >= String.length text then (List.rev acc, i)
    else
      match text.[i] with
      | ' ' | '\t' | '\r' | '\n' -> items (i + 1) acc
      | ';' -> items (span (( <> ) '\n') text i) acc
      | ')' -> (List.rev acc, i)
      | '(' ->
          let inner, stop = items (i + 1) [] in
          if stop >= String.length text then fail stop else items (stop + 1) (List inner :: acc)
      | '"' ->
          let stop = span (( <> ) '"') text (i + 1) in
          if stop >= String.length text then fail stop
          else items (stop + 1) (Atom (String.sub text (i + 1) (stop - i - 1)) :: acc)
      | _ ->
          let stop = span is_atom text i in
          items stop (Atom (String.sub text i (stop - i)) :: acc)
  in
  let all, stop = items 0 [] in
  if stop < String.length text then fail stop else all

(* The atoms of an item, however deep. *)
let rec atoms = function Atom a -> [ a ] | List l -> List.concat_map atoms l

(* The atoms of every list that starts with [name]. *)
let rec fields name = function
  | Atom _ -> []
  | List (Atom a :: rest) when a = name -> List.concat_map atoms rest
  | List l -> List.concat_map (fields name) l
