(* Reads a program, its facts included, and sees to it that the relations have one arity each. *)

open Syntax

let read place file =
  match In_channel.with_open_bin file In_channel.input_all with
  | text -> text
  | exception Sys_error why -> error place "cannot read the file: %s" why

(* Where each relation is first met. *)
type arities = (string, place * int) Hashtbl.t

let check_arity (arities : arities) (atom : atom) =
  match Hashtbl.find_opt arities atom.relation with
  | None -> Hashtbl.add arities atom.relation (atom.place, arity atom)
  | Some (first, n) ->
      if n <> arity atom then
        error atom.place "%s has %d arguments here and %d at %s:%d"
          atom.relation (arity atom) n first.file first.line

let known (arities : arities) place relation =
  match Hashtbl.find_opt arities relation with
  | Some (_, arity) -> arity
  | None -> error place "no rule or fact tells what %s is" relation

(* A relation that nothing is put into is a misspelt one. *)
let check_told program =
  let heads = List.map (fun rule -> rule.head.relation) program.rules in
  let inputs =
    List.map (fun (input : input) -> input.relation) program.inputs
  in
  let told =
    Hashtbl.of_seq
      (Seq.map (fun r -> (r, ())) (List.to_seq (heads @ inputs)))
  in
  let check (atom : atom) =
    if not (Hashtbl.mem told atom.relation) then
      error atom.place "no rule, fact or file tells what %s is"
        atom.relation
  in
  List.iter (fun rule -> List.iter check rule.body) program.rules

(* The lines of a text, as Unix or Windows ends them. *)
let lines text =
  let without_return line =
    if String.ends_with ~suffix:"\r" line then
      String.sub line 0 (String.length line - 1)
    else line
  in
  List.map without_return (String.split_on_char '\n' text)

(* A fact a line, with tabs between the constants. *)
let facts ~folder arities (input : input) =
  let arity = known arities input.place input.relation in
  let file = Filename.concat folder input.facts in
  let fact i line =
    let constants = String.split_on_char '\t' line in
    let place = { file; line = i + 1 } in
    if List.length constants <> arity then
      error place "%d columns, where %s has %d" (List.length constants)
        input.relation arity;
    let terms = List.map (fun c -> Constant c) constants in
    { head = { place; relation = input.relation; terms }; body = [] }
  in
  let facts =
    List.mapi (fun i line -> if line = "" then [] else [ fact i line ])
  in
  List.concat (facts (lines (read input.place file)))

let load file =
  let program = Parser.program file (read { file; line = 1 } file) in
  let arities = Hashtbl.create 16 in
  let check rule =
    List.iter (check_arity arities) (rule.head :: rule.body)
  in
  List.iter check program.rules;
  check_told program;
  List.iter
    (fun (place, relation) -> ignore (known arities place relation : int))
    program.outputs;
  let folder = Filename.dirname file in
  let loaded = List.concat_map (facts ~folder arities) program.inputs in
  { program with rules = program.rules @ loaded }
