(* A number that one instruction changes: there is nothing to gather.

   A batch finds out first what it amounts to, and then adds that in one step, which also says so to
   its operations: what each was before follows from where the batch began. So whatever raises, all of
   a batch have been added, or none. *)

type t = int Atomic.t

(* Where the number stood when the operations were added, once they are. *)
type batch = { mutable start : int; mutable is_applied : bool }

(* [ahead] is the sum of those before it in its batch. *)
type op = { by : int; mutable ahead : int; mutable batch : batch }

let create n = Atomic.make n
let get t = Atomic.get t
let add t n = Atomic.fetch_and_add t n
let incr t = ignore (Atomic.fetch_and_add t 1 : int)

let rec update t f =
  let before = Atomic.get t in
  if Atomic.compare_and_set t before (f before) then before else update t f

let batch () = { start = 0; is_applied = false }
let add_op by = { by; ahead = 0; batch = batch () }

let result op =
  if not op.batch.is_applied then
    invalid_arg "Drover_batched.Counter.result: the operation has not been applied";
  op.batch.start + op.ahead

let[@poll error] commit t batch sum =
  batch.start <- Atomic.fetch_and_add t sum;
  batch.is_applied <- true

let apply t ops =
  let batch = batch () in
  let sums = Drover.Array.map (fun op -> op.by) ops in
  let sum = Drover.Array.scan_exclusive_inplace ( + ) 0 sums in
  Drover.Array.iteri
    (fun i op ->
      op.ahead <- sums.(i);
      op.batch <- batch)
    ops;
  commit t batch sum

(* Who is cancelled meanwhile learns what has been added all the same. *)
let add_all t amounts =
  let sums = Drover.Array.copy amounts and batch = batch () in
  let sum = Drover.Array.scan_exclusive_inplace ( + ) 0 sums in
  commit t batch sum;
  Drover.Scope.protect (fun () -> Drover.Array.map_inplace (( + ) batch.start) sums);
  sums
