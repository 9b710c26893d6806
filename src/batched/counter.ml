(* A number that one instruction changes: there is nothing to gather.

   A batch finds out first what it amounts to, and then adds that in one step: what each addition finds
   follows from where the batch began. So whatever raises, all of a batch have been added, or none. *)

type t = int Atomic.t

let create n = Atomic.make n
let get t = Atomic.get t
let add t n = Atomic.fetch_and_add t n
let incr t = ignore (Atomic.fetch_and_add t 1 : int)

let rec update t f =
  let before = Atomic.get t in
  if Atomic.compare_and_set t before (f before) then before else update t f

(* Who is cancelled meanwhile learns what has been added all the same. *)
let add_all t amounts =
  let sums = Drover.Array.copy amounts in
  let sum = Drover.Array.scan_exclusive_inplace ~init:0 ~combine:( + ) sums in
  Drover.Scope.protect (fun () ->
      let start = Atomic.fetch_and_add t sum in
      Drover.Array.map_inplace (( + ) start) sums);
  sums
