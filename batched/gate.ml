(* A structure that is used by one batch at a time: of operations, or of one function that has it to
   itself. *)

type 'op request = Op of 'op | Alone of (unit -> unit)

(* [sizes.(i)] batches had 2{^i} .. 2{^i+1} - 1 requests; batches write it. *)
type 'op t = { batch : 'op request Drover.Batch.t; sizes : int array }

let rec log2 n = if n < 2 then 0 else 1 + log2 (n / 2)

let tally sizes requests =
  let i = log2 (Array.length requests) in
  sizes.(i) <- sizes.(i) + 1

(* The operations come before what wants to be alone: a batch has no order among its callers. *)
let run one many = function
  | [| Op op |] -> one op
  | [| Alone f |] -> f ()
  | requests ->
      let ops = Drover.Array.filter_map (function Op op -> Some op | Alone _ -> None) requests in
      if ops <> [||] then many ops;
      Array.iter (function Alone f -> f () | Op _ -> ()) requests

(* Neither [one] nor [many] raises because of an operation: that fails alone. If they raise for
   another reason, as when a scope is cancelled, what [applied] holds for has been done. *)
let create ?pool ?(applied = fun _ -> false) ~one ~many () =
  let applied = function Op op -> applied op | Alone _ -> false in
  let sizes = Array.make Sys.int_size 0 in
  let run requests =
    tally sizes requests;
    run one many requests
  in
  { batch = Drover.Batch.create ?pool ~applied run; sizes }

let submit t op = Drover.Batch.submit t.batch (Op op)
let batch_sizes t = Array.copy t.sizes

(* [f ()], which has the structure to itself. *)
let alone t f =
  let result = ref None in
  let run () =
    result :=
      Some
        (match f () with v -> Ok v | exception exn -> Error (exn, Printexc.get_raw_backtrace ()))
  in
  Drover.Batch.submit t.batch (Alone run);
  match Option.get !result with
  | Ok v -> v
  | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace
