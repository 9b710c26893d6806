(* Work: what a thread's own code costs. *)

open World

(* Of [n] nanoseconds on a fast processor. User's code can be cut anywhere, and has safepoints everywhere. *)
let busy n =
  let t = me () in
  let slowness = !w.processors.(t.processor).slowness in
  let n = if slowness = 1. then n else int_of_float (slowness *. float n) in
  let until_slice_ends (p : processor) n =
    if Queue.is_empty p.queue then n else Int.min n (Int.max 1 (p.slice_end - t.time))
  in
  Threads.poll ();
  t.account.busy <- t.account.busy + n;
  let left = ref n in
  while !left > 0 do
    let step = until_slice_ends !w.processors.(t.processor) !left in
    t.time <- t.time + step;
    t.rest <- !left - step;
    t.is_busy <- true;
    Turns.sync ();
    t.is_busy <- false;
    left := t.rest;
    Threads.poll ()
  done

(* At the next safepoint is a collection, if the heap is full. *)
let[@inline] allocate_quietly words live =
  let d = (me ()).domain in
  d.young <- d.young + words;
  d.live <- d.live + live;
  d.allocated <- d.allocated +. float words

(* User's code, of whose words few live for long *)
let allocate words =
  allocate_quietly words (words / 50);
  Threads.poll ()

let cpu_relax () =
  let t = me () in
  let n = !w.model.relax in
  t.time <- t.time + n;
  t.account.spun <- t.account.spun + n;
  Turns.sync ();
  Threads.poll ()

let now () =
  Turns.tick !w.model.clock;
  float (me ()).time *. 1e-9

(* What the library's code costs, beside its accesses to memory. *)
let[@inline] spend n = Turns.tick n

let count name =
  let counters = !w.counters in
  match Hashtbl.find_opt counters name with
  | Some n -> incr n
  | None -> Hashtbl.add counters name (ref 1)

let[@inline] element () = Turns.tick !w.model.element

(* Of a loop in the library, whose body may be the library's, too, and have no others. *)
let safepoint () = Threads.poll ()
let fork () = spend !w.model.fork
let fiber () = spend !w.model.fiber
let suspension () = spend !w.model.suspension
let timer () = spend !w.model.timer
let sleep () = spend !w.model.sleep

(* Larger blocks are not in a minor heap. *)
let largest_young = 256
let fresh words = if words > largest_young then spend (int_of_float (!w.model.fresh *. float words))

let stolen () =
  let t = me () in
  t.account.stalled <- t.account.stalled + !w.model.stolen;
  spend !w.model.stolen
