(* As in [Ordered_map], batches write the root and everybody reads it. *)

open Priority_batch

type 'a op = 'a Priority_batch.op
type 'a t = { compare : 'a -> 'a -> int; root : ('a, unit) Tree.t Atomic.t; gate : 'a op Gate.t }

let create ?pool compare =
  let root = Atomic.make Tree.Empty in
  let one op = Atomic.set root (Priority_batch.one compare op (Atomic.get root)) in
  let many ops = Atomic.set root (Priority_batch.apply compare ops (Atomic.get root)) in
  { compare; root; gate = Gate.create ?pool ~one ~many () }

let push_op x = { element = Some x; outcome = Pending }
let pop_op () = { element = None; outcome = Pending }
let result op = Outcome.get ~caller:"Priority_queue.result" op.outcome

let submit t op =
  Gate.submit t.gate op;
  result op

let push t x = ignore (submit t (push_op x))
let pop_min t = submit t (pop_op ())
let tree t = Atomic.get t.root
let peek t = Option.map fst (Tree_look.first (tree t))

let apply t ops =
  Gate.alone t.gate (fun () -> Atomic.set t.root (Priority_batch.apply t.compare ops (tree t)))

let push_all t xs =
  let ops = Fresh.map push_op xs in
  apply t ops;
  Array.iter (fun op -> ignore (result op)) ops

let pop_many t n =
  if n < 0 then invalid_arg "Drover_batched.Priority_queue.pop_many: n < 0";
  let popped =
    Gate.alone t.gate (fun () ->
        let popped, rest = Tree.split_at n (tree t) in
        Atomic.set t.root rest;
        popped)
  in
  (* They are not lost where the caller is cancelled meanwhile. *)
  Drover.Scope.protect (fun () -> Tree_bulk.to_array (fun x () -> x) popped)

let length t = Tree.size (tree t)
let to_array t = Tree_bulk.to_array (fun x () -> x) (tree t)
let iter f t = Tree_look.iter (fun x () -> f x) (tree t)

(* Equal neighbours are in order. *)
let validate t = Tree_look.validate (fun x y -> if t.compare x y > 0 then 1 else -1) (tree t)
let batch_sizes t = Gate.batch_sizes t.gate
