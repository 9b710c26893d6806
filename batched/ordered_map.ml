(* The root is written by batches only, of which there is one at a time, and when all operations of
   the batch are done; it is read by anybody. *)

type ('k, 'v) t = { root : ('k, 'v) Tree_map.t Atomic.t; gate : ('k, 'v) Op.t Gate.t }

let of_snapshot ?pool m =
  let root = Atomic.make m in
  let one op = Atomic.set root (Tree_map.apply_one (Atomic.get root) op) in
  let many ops = Atomic.set root (Tree_map.apply (Atomic.get root) ops) in
  { root; gate = Gate.create ?pool ~one ~many () }

let create ?pool compare = of_snapshot ?pool (Tree_map.empty compare)
let snapshot t = Atomic.get t.root

let modify t f =
  Gate.alone t.gate (fun () ->
      let m, answer = f (snapshot t) in
      Atomic.set t.root m;
      answer)

let apply t ops = modify t (fun m -> (Tree_map.apply m ops, ()))

include Map_ops.Make (struct
  type nonrec ('k, 'v) t = ('k, 'v) t

  let submit t op = Gate.submit t.gate op
  let apply = apply
end)

(* Reading needs no batch. *)
let find t key = Tree_map.find (snapshot t) key
let mem t key = Tree_map.mem (snapshot t) key
let find_all t keys = Fresh.map (Tree_map.find (snapshot t)) keys
let length t = Tree_map.length (snapshot t)
let range t ~lo ~hi = Tree_map.range (snapshot t) ~lo ~hi
let iter f t = Tree_map.iter f (snapshot t)
let validate t = Tree_map.validate (snapshot t)
let batch_sizes t = Gate.batch_sizes t.gate
