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
  | Quoted s -> Printf.sprintf "%S" s
  | End -> "the end of the file"

let is_letter = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true | _ -> false

let tokens file text =
  let length = String.length text in
  let rec skip_to stop i = if i < length && not (stop text.[i]) then skip_to stop (i + 1) else i in
  let rec go line i tokens =
    let place = { file; line } in
    let token t next = go line next ((place, t) :: tokens) in
    if i = length then List.rev ((place, End) :: tokens)
    else
      match text.[i] with
      | '\n' -> go (line + 1) (i + 1) tokens
      | ' ' | '\t' | '\r' -> go line (i + 1) tokens
      | '%' -> go line (skip_to (Char.equal '\n') i) tokens
      | ('(' | ')' | ',' | '.') as c -> token (Sign (String.make 1 c)) (i + 1)
      | ':' when i + 1 < length && text.[i + 1] = '-' -> token (Sign ":-") (i + 2)
      | '"' ->
          let last = skip_to (fun c -> c = '"' || c = '\n') (i + 1) in
          if last = length || text.[last] = '\n' then error place "the string has no end";
          token (Quoted (String.sub text (i + 1) (last - i - 1))) (last + 1)
      | c when is_letter c -> (
          let next = skip_to (fun c -> not (is_letter c)) i in
          let word = String.sub text i (next - i) in
          match c with 'A' .. 'Z' | '_' -> token (Capital word) next | _ -> token (Name word) next)
      | c -> error place "unexpected character %C" c
  in
  go 1 0 []
