open Drover_harness
module Queue = Drover_batched.Priority_queue
module Heap = Pqueue.MakeMin (Int)

(* Every other operation pops, so that the length stays. *)
let stdlib (k : Keys.t) () =
  let heap = Heap.of_iter Array.iter k.old in
  let operate i =
    if i land 1 = 0 then Heap.add heap k.fresh.(i) else ignore (Heap.pop_min heap : int option)
  in
  let n = Array.length k.fresh and length () = Heap.length heap in
  Contest.unbatched ~length n operate

let batched (k : Keys.t) () =
  let queue = Queue.create Int.compare in
  Queue.push_all queue k.old;
  let operate i =
    if i land 1 = 0 then Queue.push queue k.fresh.(i) else ignore (Queue.pop_min queue : int option)
  and operation i key = if i land 1 = 0 then Queue.push_op key else Queue.pop_op () in
  let length () = Queue.length queue in
  let batches () = Queue.batch_sizes queue in
  Contest.batched ~batches ~length (Array.length k.fresh) operate ~all:(fun () ->
      Queue.apply queue (Array.mapi operation k.fresh))

let run (s : Probe.settings) =
  let k = Keys.make s.size in
  let contest = { (Keys.contest k s.size) with length_after = Array.length k.old } in
  let results = Contest.measure contest [ stdlib k; batched k ] in
  Contest.figures results @ Keys.ratios ~goals:false results ~lock:"lock"

let probe : Probe.t =
  { name = "priority-queue"; doc = "pushing to and popping from a long priority queue"; run }
