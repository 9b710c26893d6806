(* A structure that is used by one batch at a time: of operations, or of one function that has it to
   itself. *)

type 'op request = Op of 'op | Alone of (unit -> unit)
type 'op t = 'op request Drover.Batch.t

let is_op = function Op _ -> true | Alone _ -> false
let the_op = function Op op -> op | Alone _ -> assert false (* it is one *)

(* The operations come before what wants to be alone: a batch has no order among its callers. *)
let run one many = function
  | [| Op op |] -> one op
  | [| Alone f |] -> f ()
  | requests ->
      let ops = if Array.for_all is_op requests then requests else Fresh.filter is_op requests in
      if Array.length ops > 0 then many (Fresh.map the_op ops);
      Array.iter (function Alone f -> f () | Op _ -> ()) requests

(* Neither [one] nor [many] raises because of an operation: that fails alone. If they raise for
   another reason, as when a scope is cancelled, what [applied] holds for has been done. *)
let create ?pool ?(applied = fun _ -> false) ~one ~many () =
  let applied = function Op op -> applied op | Alone _ -> false in
  Drover.Batch.create ?pool ~applied (run one many)

let submit t op = Drover.Batch.submit t (Op op)
let batch_sizes t = (Drover.Batch.metrics t).sizes

(* [f ()], which has the structure to itself. *)
let alone t f =
  let outcome = ref Outcome.Pending in
  Drover.Batch.submit t (Alone (fun () -> outcome := Outcome.catch f));
  Outcome.get ~caller:"Gate.alone" !outcome
