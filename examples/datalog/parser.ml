(* Programs, from their text:

   statement ::= atom . | atom :- atom, ..., atom . | input relation "file" . | output relation .

   atom ::= relation(term, ..., term)

   A term that starts with a capital letter or [_] is a variable; [_] alone is another one each
   time. *)

open Syntax

type t = {
  mutable rest : (place * Lexer.token) list;
  mutable anonymous : int;
}

let peek p =
  match p.rest with
  | first :: _ -> first
  | [] -> assert false (* [End] stays *)

let skip p =
  match peek p with _, End -> () | _ -> p.rest <- List.tl p.rest

let unexpected p wanted =
  let place, token = peek p in
  error place "expected %s instead of %s" wanted (Lexer.show token)

let accept p sign =
  let found = snd (peek p) = Sign sign in
  if found then skip p;
  found

let expect p sign =
  if not (accept p sign) then unexpected p (Printf.sprintf "'%s'" sign)

let name p =
  match peek p with
  | place, Name name ->
      skip p;
      (place, name)
  | _ -> unexpected p "a relation"

let anonymous = "_"
let is_anonymous v = String.starts_with ~prefix:(anonymous ^ " ") v

let term p =
  match snd (peek p) with
  | Name c | Quoted c ->
      skip p;
      Constant c
  | Capital v when v = anonymous ->
      skip p;
      p.anonymous <- p.anonymous + 1;
      Variable (Printf.sprintf "%s %d" anonymous p.anonymous)
  | Capital v ->
      skip p;
      Variable v
  | Sign _ | End -> unexpected p "a variable or a constant"

let rec separated p item =
  let first = item p in
  if accept p "," then first :: separated p item else [ first ]

let terms p =
  expect p "(";
  let terms = separated p term in
  if not (accept p ")") then unexpected p "',' or ')'";
  terms

let atom p =
  let place, relation = name p in
  { place; relation; terms = terms p }

let check_safe rule =
  let bound = List.concat_map variables rule.body in
  let check v =
    let shown = if is_anonymous v then anonymous else v in
    if not (List.mem v bound) then
      if rule.body = [] then
        error rule.head.place "a fact has no variables, such as %s" shown
      else
        error rule.head.place
          "the variable %s of the head is not in the body" shown
  in
  List.iter check (variables rule.head)

let statement p program =
  let place, relation = name p in
  match (relation, peek p) with
  | "input", (_, Name relation) -> (
      skip p;
      match peek p with
      | _, Quoted facts ->
          skip p;
          expect p ".";
          {
            program with
            inputs = { place; relation; facts } :: program.inputs;
          }
      | _ -> unexpected p "the name of a file in quotes")
  | "output", (_, Name relation) ->
      skip p;
      expect p ".";
      { program with outputs = (place, relation) :: program.outputs }
  | _ ->
      let head = { place; relation; terms = terms p } in
      let body = if accept p ":-" then separated p atom else [] in
      if not (accept p ".") then
        unexpected p (if body = [] then "':-' or '.'" else "',' or '.'");
      let rule = { head; body } in
      check_safe rule;
      { program with rules = rule :: program.rules }

let program file text =
  let p = { rest = Lexer.tokens file text; anonymous = 0 } in
  let rec go program =
    match peek p with _, End -> program | _ -> go (statement p program)
  in
  let { rules; inputs; outputs } =
    go { rules = []; inputs = []; outputs = [] }
  in
  {
    rules = List.rev rules;
    inputs = List.rev inputs;
    outputs = List.rev outputs;
  }
