(* Words and signs, each with its line. *)

open Syntax

type token =
  | Name of string  (** starts with a small letter or a digit *)
  | Capital of string  (** starts with a capital letter or [_] *)
  | Quoted of string
  | Sign of string
  | End

let show = function
  | Name s | Capital s | Sign s -> Printf.sprintf "'%s'" s
  | Quoted s -> quote s
  | End -> "the end of the file"

let is_letter = function
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true
  | _ -> false

(* The text of a string that begins before [i], and where it ends; [place] is its own. *)
let quoted place text i =
  let buffer = Buffer.create 16 in
  let rec go i =
    if i = String.length text then error place "the string has no end"
    else
      match text.[i] with
      | '"' -> (Buffer.contents buffer, i + 1)
      | '\n' -> error place "the string has no end"
      | '\\'
        when i + 1 < String.length text
             && (text.[i + 1] = '"' || text.[i + 1] = '\\') ->
          Buffer.add_char buffer text.[i + 1];
          go (i + 2)
      | c ->
          Buffer.add_char buffer c;
          go (i + 1)
  in
  go i

let tokens file text =
  let length = String.length text in
  let rec skip_to stop i =
    if i < length && not (stop text.[i]) then skip_to stop (i + 1) else i
  in
  let rec go line i tokens =
    let place = { file; line } in
    let token t next = go line next ((place, t) :: tokens) in
    if i = length then List.rev ((place, End) :: tokens)
    else
      match text.[i] with
      | '\n' -> go (line + 1) (i + 1) tokens
      | ' ' | '\t' | '\r' -> go line (i + 1) tokens
      | '%' -> go line (skip_to (Char.equal '\n') i) tokens
      | ('(' | ')' | ',' | '.') as c ->
          token (Sign (String.make 1 c)) (i + 1)
      | ':' when i + 1 < length && text.[i + 1] = '-' ->
          token (Sign ":-") (i + 2)
      | '"' ->
          let s, next = quoted place text (i + 1) in
          token (Quoted s) next
      | c when is_letter c -> (
          let next = skip_to (fun c -> not (is_letter c)) i in
          let word = String.sub text i (next - i) in
          match c with
          | 'A' .. 'Z' | '_' -> token (Capital word) next
          | _ -> token (Name word) next)
      | c -> error place "unexpected character %C" c
  in
  go 1 0 []
