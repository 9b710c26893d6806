module Queue = Drover_batched.Priority_queue
module Heap = Pqueue.MakeMin (Int)

type queue = { push : int -> unit; pop_min : unit -> int option }

(* Each operation is a pop, and a push of something later, as a simulation does: so priorities are
   not all alike after a while. *)
let of_queue create size =
  let queue = create size in
  fun ~look_ups:_ random ->
    let now = Option.value (queue.pop_min ()) ~default:0 in
    queue.push (now + Cells.below (2 * size) random)

let ours size =
  let queue = Queue.create Int.compare in
  Cells.preload size (Queue.push_all queue);
  { push = Queue.push queue; pop_min = (fun () -> Queue.pop_min queue) }

let heap size =
  let heap = Heap.create () in
  Cells.preload size (Array.iter (Heap.add heap));
  { push = Heap.add heap; pop_min = (fun () -> Heap.pop_min heap) }

(* Equal priorities in the order of their pushes. *)
module Entries = Set.Make (struct
  type t = int * int

  let compare (p, i) (q, j) = match Int.compare p q with 0 -> Int.compare i j | order -> order
end)

let set size =
  let entries = ref Entries.empty and pushed = ref 0 in
  let push priority =
    incr pushed;
    entries := Entries.add (priority, !pushed) !entries
  and pop_min () =
    match Entries.min_elt_opt !entries with
    | None -> None
    | Some ((priority, _) as least) ->
        entries := Entries.remove least !entries;
        Some priority
  in
  Cells.preload size (Array.iter push);
  { push; pop_min }

let locked queue =
  let mutex = Mutex.create () in
  {
    push = (fun priority -> Mutex.protect mutex (fun () -> queue.push priority));
    pop_min = (fun () -> Mutex.protect mutex queue.pop_min);
  }

let subjects =
  [
    Cells.serial (of_queue heap);
    Cells.ours "queue" ~rivals:[ "mutex, heap"; "mutex, set" ] (of_queue ours);
    Cells.rival "mutex, heap" (of_queue (fun size -> locked (heap size)));
    Cells.rival "mutex, set" (of_queue (fun size -> locked (set size)));
  ]

let probe =
  Cells.probe ~name:"queue-cells"
    ~doc:"priority queues in loops, ns a pop and a push: elements, work between, domains"
    ~look_ups:[ 0 ] subjects
