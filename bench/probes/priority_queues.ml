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

let preloaded (k : Keys.t) =
  let queue = Queue.create Int.compare in
  Queue.push_all queue k.old;
  queue

let operation (k : Keys.t) i = if i land 1 = 0 then Queue.push_op k.fresh.(i) else Queue.pop_op ()

let batched (k : Keys.t) () =
  let queue = preloaded k in
  let operate i =
    if i land 1 = 0 then Queue.push queue k.fresh.(i) else ignore (Queue.pop_min queue : int option)
  in
  let length () = Queue.length queue in
  let batches () = Queue.batch_sizes queue in
  Contest.batched ~batches ~length (Array.length k.fresh) operate ~all:(fun () ->
      Queue.apply queue (Array.init (Array.length k.fresh) (operation k)))

let contest (k : Keys.t) size = { (Keys.contest k size) with length_after = Array.length k.old }

let in_batches (k : Keys.t) size =
  let sequential () = Contest.in_turn (stdlib k ())
  and subjects () =
    let queue = preloaded k in
    let length () = Queue.length queue in
    Contest.in_batches ~length (Array.length k.fresh) (operation k) ~apply:(Queue.apply queue)
  in
  Contest.measure (contest k size) [ sequential; subjects ]

let run (s : Probe.settings) =
  let k = Keys.make s.size in
  let results = Contest.measure (contest k s.size) [ stdlib k; batched k ] in
  Contest.figures results @ Keys.ratios ~goals:false results ~lock:"lock"

let probe : Probe.t =
  { name = "priority-queue"; doc = "pushing to and popping from a long priority queue"; run }
