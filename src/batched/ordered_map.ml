(* A tree that single operations replace by themselves, and batches where these do not get on; see
   [Root]. *)

type ('k, 'v) t = {
  compare : 'k -> 'k -> int;
  root : ('k, 'v) Tree.t Root.t;
  gate : ('k, 'v) Operation.t Gate.t;
  mine : Tree.owner ref; (* Of the nodes that nobody else has as a map. For who has the gate. *)
}

(* Whom the nodes that a batch makes belong to. *)
let become mine =
  if !mine == Tree.nobody then mine := Tree.create_owner ();
  !mine

let of_snapshot ?pool m =
  let compare = Ordered_tree.comparison m
  and root = Root.create ~constant:Tree.Empty ~copy:Tree.copy (Ordered_tree.tree m) in
  let mine = ref Tree.nobody in
  let one op =
    Root.closing root (fun tree ~keep -> keep (Tree_batch.one (become mine) compare op tree))
  and many ops = Root.closing root (Tree_batch.apply (become mine) compare ops) in
  { compare; root; mine; gate = Gate.create ?pool ~applied:Operation.is_settled ~one ~many () }

let create ?pool compare = of_snapshot ?pool (Tree_map.empty compare)

(* The map as it is now, which no batch will change. For who has the gate. *)
let give_up t =
  t.mine := Tree.nobody;
  Ordered_tree.of_tree t.compare (Root.get t.root)

let snapshot t = Gate.alone t.gate (fun () -> give_up t)

let modify t f =
  Gate.alone t.gate (fun () ->
      Root.closing t.root (fun _ ~keep ->
          let after, answer = f (give_up t) in
          keep (Ordered_tree.tree after);
          answer))

let apply t ops = Gate.submit_all t.gate ops

module Gated = Map_ops.Make (struct
  type nonrec ('k, 'v) t = ('k, 'v) t

  let submit t op = Gate.submit t.gate op
  let apply = apply
end)

include Gated

(* Single operations *)

let find t key = Tree.find t.compare key (Root.get t.root)
let mem t key = Option.is_some (find t key)

(* It may wait, and so is a place where a task that is cancelled raises. *)
let replace t change =
  Drover.Scope.check ();
  Root.replace t.root change

let insert t key value =
  match replace t (fun tree -> Tree.insert ~replaces:true t.compare key value tree) with
  | Same | Replaced -> ()
  | Refused -> Gated.insert t key value

let add t key value =
  match replace t (fun tree -> Tree.insert ~replaces:false t.compare key value tree) with
  | Same -> false
  | Replaced -> true
  | Refused -> Gated.add t key value

let delete t key =
  match replace t (fun tree -> Tree.delete t.compare key tree) with
  | Same -> false
  | Replaced -> true
  | Refused -> Gated.delete t key

let update t key f =
  match replace t (fun tree -> Tree.alter Tree.nobody t.compare key f tree) with
  | Same | Replaced -> ()
  | Refused -> Gated.update t key f

(* The whole structure *)

(* [f] of the tree, which no batch changes meanwhile. *)
let look t f = Gate.alone t.gate (fun () -> f (Root.get t.root))
let find_all t keys = look t (fun tree -> Fresh.map (fun key -> Tree.find t.compare key tree) keys)
let length t = look t Tree.size
let range t ~lo ~hi = Tree_map.range (snapshot t) ~lo ~hi
let iter f t = Tree_map.iter f (snapshot t)
let validate t = look t (Tree_look.validate t.compare)
let batch_sizes t = Gate.batch_sizes t.gate
