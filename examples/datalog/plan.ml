(* How a rule is evaluated: for each new tuple of one atom of the body, look up the other atoms, one
   after the other, and put what that makes of the head into its relation.

   Variables are numbered: the values found so far are in an array. *)

open Syntax

(* What a column of an atom does: it gives a variable its value, or must have that of a variable, or
   that constant. *)
type column = Bind of int | Same of int | Is of int

(* [known] columns come first, whose values are known before the look-up. *)
type step = {
  index : Relation.index;
  is_old : bool;  (** look up what was there before the last round *)
  columns : column array;
  known : int;
}

type t = {
  head : Relation.t;
  result : column array;  (** nothing to bind *)
  source : Relation.t;  (** whose new tuples are gone through *)
  first : column array;
  steps : step list;
  variables : int;
}

type context = {
  relation : atom -> Relation.t;
  constant : string -> int;
  numbers : (string, int) Hashtbl.t;
}

let is_known bound = function
  | Constant _ -> true
  | Variable v -> List.mem v bound

let number context v =
  match Hashtbl.find_opt context.numbers v with
  | Some n -> n
  | None ->
      let n = Hashtbl.length context.numbers in
      Hashtbl.add context.numbers v n;
      n

(* The columns for terms in this order, if the variables [bound] have values. *)
let columns context bound terms =
  let column bound = function
    | Constant c -> (bound, Is (context.constant c))
    | Variable v when List.mem v bound -> (bound, Same (number context v))
    | Variable v -> (v :: bound, Bind (number context v))
  in
  Array.of_list (snd (List.fold_left_map column bound terms))

(* Known columns first. *)
let step context bound (atom, is_old) =
  let terms = List.mapi (fun i term -> (i, term)) atom.terms in
  let known, others =
    List.partition (fun (_, term) -> is_known bound term) terms
  in
  let order = known @ others in
  {
    index =
      Relation.index (context.relation atom)
        (Array.of_list (List.map fst order));
    is_old;
    columns = columns context bound (List.map snd order);
    known = List.length known;
  }

(* The atom with the most known columns comes next. *)
let rec steps context bound atoms =
  let count (atom, _) =
    List.length (List.filter (is_known bound) atom.terms)
  in
  match
    List.stable_sort (fun a b -> Int.compare (count b) (count a)) atoms
  with
  | [] -> []
  | next :: others ->
      step context bound next
      :: steps context (variables (fst next) @ bound) others

(* The plan that goes through the new tuples of atom [i]. The atoms before it are looked up as they
   were before the last round, those behind as they are now: so no combination comes up twice. *)
let plan ~relation ~constant rule i =
  let context = { relation; constant; numbers = Hashtbl.create 8 } in
  let atom = List.nth rule.body i in
  let bound = variables atom in
  let others =
    List.filteri
      (fun j _ -> j <> i)
      (List.mapi (fun j a -> (a, j < i)) rule.body)
  in
  let first = columns context [] atom.terms in
  let steps = steps context bound others in
  let all = List.concat_map variables rule.body in
  {
    head = relation rule.head;
    result = columns context all rule.head.terms;
    source = relation atom;
    first;
    steps;
    variables = Hashtbl.length context.numbers;
  }

let plans ~relation ~constant rule =
  List.init (List.length rule.body) (plan ~relation ~constant rule)

let value values = function Is v -> v | Same n | Bind n -> values.(n)

(* Does [tuple] fit, from column [i] on? Its variables have their values then. *)
let rec fits values columns tuple i =
  i = Array.length columns
  || (match columns.(i) with
       | Is v -> tuple.(i) = v
       | Same n -> tuple.(i) = values.(n)
       | Bind n ->
           values.(n) <- tuple.(i);
           true)
     && fits values columns tuple (i + 1)

let rec join values result steps emit =
  match steps with
  | [] -> emit (Array.map (value values) result)
  | { index; is_old; columns; known } :: others ->
      let snapshot = if is_old then index.old else index.current in
      let prefix = Array.init known (fun i -> value values columns.(i)) in
      Relation.iter_prefix snapshot ~arity:(Array.length columns) prefix
        (fun tuple ->
          if fits values columns tuple known then
            join values result others emit)

(* Goes through the new tuples from [lo] to [hi]. *)
let run plan ~emit lo hi =
  let values = Array.make plan.variables 0 in
  for i = lo to hi do
    if fits values plan.first plan.source.delta.(i) 0 then
      join values plan.result plan.steps emit
  done
