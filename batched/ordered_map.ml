(* The root is written by who has the gate, and read by anybody who looks for a key. *)

type ('k, 'v) t = {
  root : ('k, 'v) Tree_map.t Atomic.t;
  gate : ('k, 'v) Op.t Gate.t;
  mine : Tree.owner ref; (* Of the nodes that nobody else has as a map. For who has the gate. *)
}

let keep root m = if m != Atomic.get root then Atomic.set root m

(* Whom the nodes that a batch makes belong to. *)
let become mine =
  if !mine == Tree.nobody then mine := Tree.create_owner ();
  !mine

let process root mine ops = Tree_map.apply_as (become mine) (Atomic.get root) ops ~keep:(keep root)
let process_one root mine op = keep root (Tree_map.apply_one (become mine) (Atomic.get root) op)

let of_snapshot ?pool m =
  let root = Atomic.make m and mine = ref Tree.nobody in
  let one = process_one root mine and many = process root mine in
  { root; mine; gate = Gate.create ?pool ~applied:Op.is_settled ~one ~many () }

let create ?pool compare = of_snapshot ?pool (Tree_map.empty compare)

(* The map while the caller has the gate. *)
let now t = Atomic.get t.root

(* The map as it is now, which no batch will change. *)
let give_up t =
  t.mine := Tree.nobody;
  now t

let snapshot t = Gate.alone t.gate (fun () -> give_up t)

let modify t f =
  Gate.alone t.gate (fun () ->
      let m, answer = f (give_up t) in
      Atomic.set t.root m;
      answer)

let apply t ops = Gate.submit_all t.gate ops

include Map_ops.Make (struct
  type nonrec ('k, 'v) t = ('k, 'v) t

  let submit t op = Gate.submit t.gate op
  let apply = apply
end)

(* To look for a key needs no batch. *)
let find t key = Tree_map.find (Atomic.get t.root) key
let mem t key = Tree_map.mem (Atomic.get t.root) key
let find_all t keys = Gate.alone t.gate (fun () -> Fresh.map (Tree_map.find (now t)) keys)
let length t = Gate.alone t.gate (fun () -> Tree_map.length (now t))
let range t ~lo ~hi = Tree_map.range (snapshot t) ~lo ~hi
let iter f t = Tree_map.iter f (snapshot t)
let validate t = Gate.alone t.gate (fun () -> Tree_map.validate (now t))
let batch_sizes t = Gate.batch_sizes t.gate
