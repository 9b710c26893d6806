(* Semi-naive evaluation: Bancilhon, "Naive Evaluation of Recursively Defined Relations" (1986). A
   round combines the tuples that the last round has found with all others, in parallel. It ends
   when nothing is found. *)

open Syntax

type t = {
  relations : (string, Relation.t) Hashtbl.t;
  numbers : (string, int) Hashtbl.t;
  constants : string Dynarray.t;  (** by number *)
}

let create () =
  {
    relations = Hashtbl.create 16;
    numbers = Hashtbl.create 1024;
    constants = Dynarray.create ();
  }

let constant t c =
  match Hashtbl.find_opt t.numbers c with
  | Some n -> n
  | None ->
      let n = Dynarray.length t.constants in
      Hashtbl.add t.numbers c n;
      Dynarray.add_last t.constants c;
      n

let relation t (atom : atom) =
  match Hashtbl.find_opt t.relations atom.relation with
  | Some r -> r
  | None ->
      let r = Relation.create atom.relation (arity atom) in
      Hashtbl.add t.relations atom.relation r;
      r

let tuple t (atom : atom) =
  let number = function
    | Constant c -> constant t c
    | Variable _ -> assert false
    (* a fact *)
  in
  Array.of_list (List.map number atom.terms)

(* Tuples found by a task go into the relation together; not so many that others wait for long. *)
let batch = 4096

let apply (plan : Plan.t) =
  let piece lo hi =
    let found = Dynarray.create () in
    let hand_over () =
      Relation.add plan.head (Dynarray.to_array found);
      Dynarray.clear found
    in
    let emit tuple =
      Dynarray.add_last found tuple;
      if Dynarray.length found = batch then hand_over ()
    in
    Plan.run plan ~emit lo hi;
    if not (Dynarray.is_empty found) then hand_over ()
  in
  let last = Array.length plan.source.delta - 1 in
  Drover.parallel_range ~grain:64 ~start:0 ~finish:last piece

let turn t =
  let relations = List.of_seq (Hashtbl.to_seq_values t.relations) in
  Drover.List.iter Relation.turn relations;
  List.exists (fun (r : Relation.t) -> r.delta <> [||]) relations

let rec rounds t plans =
  if turn t then begin
    Drover.List.iter apply plans;
    rounds t plans
  end

let add_facts t facts =
  let by_relation = Hashtbl.create 16 in
  let note atom =
    let r = relation t atom in
    let others =
      Option.value (Hashtbl.find_opt by_relation r.name) ~default:[]
    in
    Hashtbl.replace by_relation r.name (tuple t atom :: others)
  in
  List.iter note facts;
  Hashtbl.iter
    (fun name tuples ->
      Relation.add (Hashtbl.find t.relations name) (Array.of_list tuples))
    by_relation

(* What follows from a program. *)
let run program =
  let t = create () in
  let facts, rules =
    List.partition (fun rule -> rule.body = []) program.rules
  in
  let plans =
    List.concat_map
      (Plan.plans ~relation:(relation t) ~constant:(constant t))
      rules
  in
  add_facts t (List.map (fun rule -> rule.head) facts);
  rounds t plans;
  t

(* The tuples of a relation, in the order of their constants. *)
let tuples t name =
  match Hashtbl.find_opt t.relations name with
  | None -> [||]
  | Some r ->
      let constants tuple =
        Array.to_list (Array.map (Dynarray.get t.constants) tuple)
      in
      let all = Drover.Array.map constants (Relation.tuples r) in
      Drover.Array.sort (List.compare String.compare) all;
      all

let names t =
  List.sort String.compare (List.of_seq (Hashtbl.to_seq_keys t.relations))
