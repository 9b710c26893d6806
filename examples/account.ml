(* A batched object whose operations are short: an account. A deposit that meets no other is applied
   as under a lock. *)

type deposit = { amount : int; mutable balance : int }

let balance = ref 0

let apply d =
  balance := !balance + d.amount;
  d.balance <- !balance

let account =
  Drover.Batch.create
    ~one:(fun d ->
      apply d;
      true)
    (Array.iter apply)

(* What the others call, from wherever they are. *)
let pay amount =
  let d = { amount; balance = 0 } in
  Drover.Batch.submit account d;
  d.balance

let () =
  Drover.parallel_for ~start:1 ~finish:1000 (fun amount ->
      ignore (pay amount : int));
  Printf.printf "%d after the last deposit\n" (pay 500);
  Printf.printf "%d operations\n" (Drover.Batch.metrics account).operations
