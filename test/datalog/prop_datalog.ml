(* Random programs, against an evaluation that tries everything until nothing more follows. *)

open Test_support
open Datalog
open Syntax

module Facts = Set.Make (struct
  type t = string * string list

  let compare = compare
end)

(* The values of variables with which [atom] is a fact. *)
let match_atom facts (atom : atom) values =
  let rec unify values terms constants =
    match (terms, constants) with
    | [], [] -> Some values
    | Constant c :: terms, d :: constants -> if c = d then unify values terms constants else None
    | Variable v :: terms, d :: constants -> (
        match List.assoc_opt v values with
        | None -> unify ((v, d) :: values) terms constants
        | Some c -> if c = d then unify values terms constants else None)
    | _ -> None
  in
  Facts.fold
    (fun (relation, constants) all ->
      if relation <> atom.relation then all
      else match unify values atom.terms constants with Some v -> v :: all | None -> all)
    facts []

let consequences facts rule =
  let add all atom = List.concat_map (match_atom facts atom) all in
  let value values = function Constant c -> c | Variable v -> List.assoc v values in
  let head values = (rule.head.relation, List.map (value values) rule.head.terms) in
  Facts.of_list (List.map head (List.fold_left add [ [] ] rule.body))

let rec naive rules facts =
  let more = List.fold_left (fun all r -> Facts.union all (consequences facts r)) facts rules in
  if Facts.equal more facts then facts else naive rules more

let semi_naive program =
  let engine = Engine.run program in
  let of_relation name =
    List.map (fun tuple -> (name, tuple)) (Array.to_list (Engine.tuples engine name))
  in
  Facts.of_list (List.concat_map of_relation (Engine.names engine))

let relations = [ ("a", 2); ("b", 2); ("c", 1); ("d", 3) ]

let gen =
  let open QCheck2.Gen in
  let constant = map string_of_int (int_range 1 5) in
  let atom term =
    let* relation, arity = oneof_list relations in
    let+ terms = list_size (return arity) term in
    { place = { file = ""; line = 0 }; relation; terms }
  in
  let variable = map (fun v -> Variable v) (oneof_list [ "X"; "Y"; "Z"; "W" ]) in
  let constant = map (fun c -> Constant c) constant in
  let fact = map (fun head -> { head; body = [] }) (atom constant) in
  let rule =
    let* body =
      list_size (int_range 1 3) (atom (oneof_weighted [ (6, variable); (1, constant) ]))
    in
    let bound = List.concat_map variables body in
    let known = List.map (fun v -> (3, return (Variable v))) bound in
    let+ head = atom (oneof_weighted ((1, constant) :: known)) in
    { head; body }
  in
  let* facts = list_size (int_range 0 20) fact in
  let+ rules = list_size (int_range 0 6) rule in
  { rules = facts @ rules; inputs = []; outputs = [] }

let show_term = function Variable v -> v | Constant c -> show_constant c

let show_atom (atom : atom) =
  Printf.sprintf "%s(%s)" atom.relation (String.concat ", " (List.map show_term atom.terms))

let show_rule rule =
  let body = String.concat ", " (List.map show_atom rule.body) in
  show_atom rule.head ^ if rule.body = [] then "." else " :- " ^ body ^ "."

let print program = String.concat "\n" (List.map show_rule program.rules)
let pools = List.map (fun domains -> Drover.Pool.create ~domains ()) [ 1; 2; 4 ]

let agrees program =
  let expected = naive program.rules Facts.empty in
  let parsed = Parser.program "program" (print program) in
  List.for_all
    (fun pool -> Drover.Pool.run pool (fun () -> Facts.equal expected (semi_naive parsed)))
    pools

let () =
  Properties.run
    [
      Watchdog.property ~count:200 ~name:"random programs agree with a naive evaluation" ~print gen
        agrees;
    ]
