(* A program as it is written: rules, facts, and which files they come from and go to. *)

type place = { file : string; line : int }

exception Error of place * string

let error place format =
  Printf.ksprintf (fun why -> raise (Error (place, why))) format

type term = Variable of string | Constant of string
type atom = { place : place; relation : string; terms : term list }

(* A fact is a rule without a body. *)
type rule = { head : atom; body : atom list }
type input = { place : place; relation : string; facts : string }

type program = {
  rules : rule list;
  inputs : input list;
  outputs : (place * string) list;
}

let arity (atom : atom) = List.length atom.terms

let variables (atom : atom) =
  List.filter_map
    (function Variable v -> Some v | Constant _ -> None)
    atom.terms

(* In quotes, a backslash stands before a quote and before itself. *)
let quote c =
  let escape = function
    | ('"' | '\\') as sign -> Printf.sprintf "\\%c" sign
    | c -> String.make 1 c
  in
  "\""
  ^ String.concat "" (List.map escape (List.of_seq (String.to_seq c)))
  ^ "\""

(* How a constant is written. *)
let show_constant c =
  let plain = function
    | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true
    | _ -> false
  in
  let starts_plainly = function
    | 'a' .. 'z' | '0' .. '9' -> true
    | _ -> false
  in
  if c <> "" && starts_plainly c.[0] && String.for_all plain c then c
  else quote c

let show relation constants =
  Printf.sprintf "%s(%s)" relation
    (String.concat ", " (List.map show_constant constants))
