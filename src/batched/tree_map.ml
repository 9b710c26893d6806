open Ordered_tree

type ('k, 'v) t = ('k, 'v) Ordered_tree.t

let empty compare = of_tree compare Tree.Empty
let length m = Tree.size (tree m)
let find m key = Tree.find (comparison m) key (tree m)
let mem m key = Option.is_some (find m key)
let with_tree m after = if after == tree m then m else of_tree (comparison m) after
let insert m key value = with_tree m (Tree.insert ~replaces:true (comparison m) key value (tree m))
let delete m key = with_tree m (Tree.delete (comparison m) key (tree m))
let update m key f = with_tree m (Tree.alter Tree.nobody (comparison m) key f (tree m))
let first m = Tree_look.first (tree m)
let last m = Tree_look.last (tree m)
let nth m i = Tree_look.nth (tree m) i
let rank m key = Tree_look.rank (comparison m) key (tree m)

let split m key =
  let before, binding, behind = Tree.split (comparison m) key (tree m) in
  (of_tree (comparison m) before, binding, of_tree (comparison m) behind)

let range m ~lo ~hi = of_tree (comparison m) (Tree.range (comparison m) lo hi (tree m))

let apply m ops =
  let result = ref (tree m) in
  Tree_batch.apply Tree.nobody (comparison m) ops (tree m) ~keep:(fun tree -> result := tree);
  with_tree m !result

let of_array compare bindings =
  let ops = Fresh.map (fun (key, value) -> Operation.insert key value) bindings in
  let m = apply (empty compare) ops in
  Array.iter (fun op -> ignore (Operation.result op)) ops;
  m

let to_array m = Tree_bulk.to_array (fun key value -> (key, value)) (tree m)
let union f a b = of_tree (comparison a) (Tree_bulk.union (comparison a) f (tree a) (tree b))
let inter f a b = of_tree (comparison a) (Tree_bulk.inter (comparison a) f (tree a) (tree b))
let diff a b = of_tree (comparison a) (Tree_bulk.diff (comparison a) (tree a) (tree b))
let map f m = of_tree (comparison m) (Tree_bulk.map f (tree m))
let filter_map f m = of_tree (comparison m) (Tree_bulk.filter_map f (tree m))
let filter f m = filter_map (fun key value -> if f key value then Some value else None) m
let map_reduce f combine zero m = Tree_bulk.map_reduce f combine zero (tree m)
let iter f m = Tree_look.iter f (tree m)
let fold f m init = Tree_look.fold f (tree m) init
let to_seq m = Tree_look.to_seq (tree m)
let validate m = Tree_look.validate (comparison m) (tree m)
