(* A structure that is used by one batch at a time: of operations, single ones and some that were
   handed in together, or of one function that has it to itself. *)

type 'op request = Op of 'op | Ops of 'op array | Alone of (unit -> unit)
type 'op t = 'op request Drover.Batch.t

let is_op = function Op _ -> true | Ops _ | Alone _ -> false
let the_op = function Op op -> op | Ops _ | Alone _ -> assert false (* it is one *)
let ops_of = function Op op -> [| op |] | Ops ops -> ops | Alone _ -> [||]

let all_ops requests =
  if Array.for_all is_op requests then Fresh.map the_op requests
  else Array.concat (List.map ops_of (Array.to_list requests))

(* The operations come before what wants to be alone: a batch has no order among its callers. *)
let run one many = function
  | [| Op op |] -> one op
  | [| Ops ops |] -> many ops
  | [| Alone f |] -> f ()
  | requests ->
      let ops = all_ops requests in
      if Array.length ops > 0 then many ops;
      Array.iter (function Alone f -> f () | Op _ | Ops _ -> ()) requests

(* Neither [one] nor [many] raises because of an operation: that fails alone. If they raise for
   another reason, as when a scope is cancelled, what [applied] holds for has been done. Who submits a
   short operation applies it as under a lock. *)
let create ?pool ?(applied = fun _ -> false) ?(is_short = fun _ -> false) ~one ~many () =
  let applied = function
    | Op op -> applied op
    | Ops ops -> Array.for_all applied ops
    | Alone _ -> false
  in
  let alone = function
    | Op op ->
        let is_short = is_short op in
        if is_short then one op;
        is_short
    | Ops _ | Alone _ -> false
  in
  Drover.Batch.create ?pool ~applied ~one:alone (run one many)

let submit t op = Drover.Batch.submit t (Op op)

(* Those of several callers may be one batch. So each is to be on one key: then what a caller hands in
   still seems to be applied at one moment. *)
let submit_all t ops = if Array.length ops > 0 then Drover.Batch.submit t (Ops ops)
let batch_sizes t = (Drover.Batch.metrics t).sizes

(* [f ()], which has the structure to itself. *)
let alone t f =
  let outcome = ref Outcome.Pending in
  Drover.Batch.submit t (Alone (fun () -> outcome := Outcome.catch f));
  Outcome.get ~caller:"Gate.alone" !outcome
