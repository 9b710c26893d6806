(* Operations on a map. A structure finds the binding of the key and lets [step] say what becomes of
   it: what the operations mean is in one place. *)

type 'v action = Find | Insert of 'v | Add of 'v | Delete | Update of ('v option -> 'v option)

(* The outcome is the binding before. *)
type ('k, 'v) t = { key : 'k; action : 'v action; mutable outcome : 'v option Outcome.t }

let make key action = { key; action; outcome = Pending }
let find key = make key Find
let insert key value = make key (Insert value)
let add key value = make key (Add value)
let delete key = make key Delete
let update key f = make key (Update f)
let key op = op.key
let action op = op.action

(* Whatever raises meanwhile, it is not settled. *)
let fail op exn =
  op.outcome <- Pending;
  op.outcome <- Outcome.failed exn

(* The first outcome is a constant, so that inserting what is new allocates none. *)
let settle op binding = op.outcome <- (match binding with None -> Is None | Some _ -> Is binding)

let become action binding =
  match (action, binding) with
  | Find, _ | Add _, Some _ -> binding
  | (Insert v | Add v), _ -> Some v
  | Delete, _ -> None
  | Update f, _ -> f binding

let step op binding =
  match become op.action binding with
  | after ->
      settle op binding;
      after
  | exception exn ->
      fail op exn;
      binding

let result op = Outcome.get ~caller:"Op.result" op.outcome
let check op = ignore (result op)
let is_settled op = Outcome.is_settled op.outcome
let may_bind = function Insert _ | Add _ | Update _ -> true | Find | Delete -> false
