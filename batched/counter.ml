(* A number behind a gate. Batches write it, of which there is one at a time, when all operations of
   the batch have their results; anybody reads it. *)

type op = { by : int; mutable before : int; mutable is_applied : bool }
type t = { value : int Atomic.t; gate : op Gate.t }

(* Shorter batches are not worth two passes. *)
let short = 4096

let[@inline] settle op before =
  op.before <- before;
  op.is_applied <- true

let process_one value op =
  let before = Atomic.get value in
  settle op before;
  Atomic.set value (before + op.by)

(* None is settled before the value is set: whatever raises, all have been added, or none. *)
let in_turn value ops =
  let place before op =
    op.before <- before;
    before + op.by
  in
  Atomic.set value (Array.fold_left place (Atomic.get value) ops);
  Array.iter (fun op -> op.is_applied <- true) ops

(* Stopped halfway, such as by the end of a scope, none has been applied. *)
let in_parallel before ops =
  match
    let amounts = Drover.Array.map (fun op -> op.by) ops in
    let sum = Drover.Array.scan_exclusive_inplace ( + ) 0 amounts in
    Drover.Array.iteri (fun i op -> settle op (before + amounts.(i))) ops;
    before + sum
  with
  | sum -> sum
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Array.iter (fun op -> op.is_applied <- false) ops;
      Printexc.raise_with_backtrace exn backtrace

let process value ops =
  if Array.length ops < short then in_turn value ops
  else Atomic.set value (in_parallel (Atomic.get value) ops)

let create ?pool n =
  let value = Atomic.make n in
  let applied op = op.is_applied in
  { value; gate = Gate.create ?pool ~applied ~one:(process_one value) ~many:(process value) () }

let add_op by = { by; before = 0; is_applied = false }

let result op =
  if not op.is_applied then
    invalid_arg "Drover_batched.Counter.result: the operation has not been applied";
  op.before

let get t = Atomic.get t.value

let add t n =
  let op = add_op n in
  Gate.submit t.gate op;
  op.before

let incr t = ignore (add t 1 : int)
let apply t ops = Gate.alone t.gate (fun () -> process t.value ops)

(* Who is cancelled meanwhile learns what has been added all the same. *)
let add_all t amounts =
  let ops = Fresh.map add_op amounts in
  apply t ops;
  Drover.Scope.protect (fun () -> Drover.Array.map result ops)

let update t f =
  Gate.alone t.gate (fun () ->
      let before = get t in
      Atomic.set t.value (f before);
      before)

let batch_sizes t = Gate.batch_sizes t.gate
