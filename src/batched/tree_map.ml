(* A tree and the comparison that orders it. *)

type ('k, 'v) t = { compare : 'k -> 'k -> int; tree : ('k, 'v) Tree.t }

let of_tree compare tree = { compare; tree }
let tree m = m.tree
let comparison m = m.compare
let empty compare = of_tree compare Tree.Empty
let length m = Tree.size m.tree
let find m key = Tree.find m.compare key m.tree
let mem m key = Option.is_some (find m key)
let with_tree m tree = if tree == m.tree then m else { m with tree }
let insert m key value = with_tree m (Tree.insert ~replaces:true m.compare key value m.tree)
let delete m key = with_tree m (Tree.delete m.compare key m.tree)
let update m key f = with_tree m (Tree.alter Tree.nobody m.compare key f m.tree)
let first m = Tree_look.first m.tree
let last m = Tree_look.last m.tree
let nth m i = Tree_look.nth m.tree i
let rank m key = Tree_look.rank m.compare key m.tree

let split m key =
  let before, binding, behind = Tree.split m.compare key m.tree in
  ({ m with tree = before }, binding, { m with tree = behind })

let range m ~lo ~hi = { m with tree = Tree.range m.compare lo hi m.tree }

let apply m ops =
  let result = ref m.tree in
  Tree_batch.apply Tree.nobody m.compare ops m.tree ~keep:(fun tree -> result := tree);
  with_tree m !result

let of_array compare bindings =
  let ops = Fresh.map (fun (key, value) -> Op.insert key value) bindings in
  let m = apply (empty compare) ops in
  Array.iter (fun op -> ignore (Op.result op)) ops;
  m

let to_array m = Tree_bulk.to_array (fun key value -> (key, value)) m.tree
let union f a b = { a with tree = Tree_bulk.union a.compare f a.tree b.tree }
let inter f a b = { compare = a.compare; tree = Tree_bulk.inter a.compare f a.tree b.tree }
let diff a b = { a with tree = Tree_bulk.diff a.compare a.tree b.tree }
let map f m = { compare = m.compare; tree = Tree_bulk.map f m.tree }
let filter_map f m = { compare = m.compare; tree = Tree_bulk.filter_map f m.tree }
let filter f m = filter_map (fun key value -> if f key value then Some value else None) m
let map_reduce f combine zero m = Tree_bulk.map_reduce f combine zero m.tree
let iter f m = Tree_look.iter f m.tree
let fold f m init = Tree_look.fold f m.tree init
let to_seq m = Tree_look.to_seq m.tree
let validate m = Tree_look.validate m.compare m.tree
