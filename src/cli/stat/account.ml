open Drover_watch

type domain = {
  ring : int;
  pause : Pause.t;
  mutable worker : int option; (* the latest that it was *)
  mutable worker_since : int option;
  mutable as_worker : int;
  mutable task_since : int option;
  mutable park_since : int option;
  mutable unknown_since : int option; (* what it is in, a task or not *)
  mutable in_tasks : int;
  mutable parked : int;
  mutable unknown : int;
  mutable paused : int;
  mutable paused_in_tasks : int;
  mutable tasks : int;
  mutable steals : int;
  mutable loop_time : int; (* of the loop that ends next *)
}

type t = {
  domains : (int, domain) Hashtbl.t;
  pauses : float Dynarray.t;
  parts : Parts.t;
  waits : Waits.t;
  batches : (int, int) Hashtbl.t; (* by size *)
  mutable pool : int;
  mutable unserved : int; (* the time that workers waited for processors *)
  mutable fewer_since : int option;
  mutable fewer : int; (* the time in which not all of a pool were active *)
  mutable suspensions : int;
  mutable parks : int;
  mutable cheap_loops : int; (* the time of loops whose iterations are cheap *)
  mutable cheap_iterations : int;
  mutable in_cheap_iterations : int; (* processor time, at most *)
  mutable longest_task : int;
  mutable minor_collections : int;
  mutable major_collections : int;
  mutable in_minor : int;
  mutable in_barriers : int;
  mutable first : int;
  mutable last : int;
}

let create () =
  {
    domains = Hashtbl.create 16;
    pauses = Dynarray.create ();
    parts = Parts.create ();
    waits = Waits.create ();
    batches = Hashtbl.create 16;
    pool = 0;
    unserved = 0;
    fewer_since = None;
    fewer = 0;
    suspensions = 0;
    parks = 0;
    cheap_loops = 0;
    cheap_iterations = 0;
    in_cheap_iterations = 0;
    longest_task = 0;
    minor_collections = 0;
    major_collections = 0;
    in_minor = 0;
    in_barriers = 0;
    first = max_int;
    last = 0;
  }

let domain t ring =
  match Hashtbl.find_opt t.domains ring with
  | Some d -> d
  | None ->
      let d =
        {
          ring;
          pause = Pause.create ();
          worker = None;
          worker_since = None;
          as_worker = 0;
          task_since = None;
          park_since = None;
          unknown_since = None;
          in_tasks = 0;
          parked = 0;
          unknown = 0;
          paused = 0;
          paused_in_tasks = 0;
          tasks = 0;
          steals = 0;
          loop_time = 0;
        }
      in
      Hashtbl.add t.domains ring d;
      d

(* The interval that ends at [at], if its begin was heard. *)
let since start at = match start with Some start -> at - start | None -> 0

(* The collector's phases that cost less are its looking whether there is anything to do, of which a
   worker that waits does thousands. *)
let least_pause = 1_000

let add_pause t d (p : Pause.pause) =
  let length = p.finish - p.start in
  d.paused <- d.paused + length;
  if Option.is_some d.task_since then d.paused_in_tasks <- d.paused_in_tasks + length;
  t.in_minor <- t.in_minor + p.in_minor;
  t.in_barriers <- t.in_barriers + p.waiting;
  if length >= least_pause then Dynarray.add_last t.pauses (float length *. 1e-9)

(* Every domain takes part in each collection; the main one is there from first to last. *)
let count_collection t ring (phase : Runtime_events.runtime_phase) =
  if ring = 0 then
    match phase with
    | EV_MINOR -> t.minor_collections <- t.minor_collections + 1
    | EV_MAJOR_GC_STW -> t.major_collections <- t.major_collections + 1
    | _ -> ()

let end_task t d at =
  let length = since d.task_since at in
  d.in_tasks <- d.in_tasks + length;
  t.longest_task <- Int.max t.longest_task length;
  d.task_since <- None

let add_batch t size =
  let before = Option.value (Hashtbl.find_opt t.batches size) ~default:0 in
  Hashtbl.replace t.batches size (before + 1)

(* Of an iteration one knows that it took no longer than if all workers had taken part in the loop. *)
let end_loop t d iterations =
  let in_iterations = d.loop_time * Int.max t.pool (Hashtbl.length t.domains) in
  if in_iterations < Cheap.most * iterations then begin
    t.cheap_loops <- t.cheap_loops + d.loop_time;
    t.in_cheap_iterations <- t.in_cheap_iterations + in_iterations;
    t.cheap_iterations <- t.cheap_iterations + iterations
  end;
  d.loop_time <- 0

let end_park d at =
  d.parked <- d.parked + since d.park_since at;
  d.park_since <- None

let end_unknown d at =
  d.unknown <- d.unknown + since d.unknown_since at;
  d.unknown_since <- None

let end_worker d at =
  d.as_worker <- d.as_worker + since d.worker_since at;
  d.worker_since <- None

let change_active t active at =
  t.fewer <- t.fewer + since t.fewer_since at;
  t.fewer_since <- (if active < t.pool then Some at else None)

(* A program may end in the middle of anything. *)
let end_all t at =
  let end_domain _ d =
    Option.iter (add_pause t d) (Pause.finish d.pause at);
    end_task t d at;
    end_park d at;
    end_unknown d at;
    end_worker d at
  in
  change_active t t.pool at;
  Parts.finish t.parts ~at;
  Waits.finish t.waits ~at;
  Hashtbl.iter end_domain t.domains

let listen t ~ring ~at (event : Event.t) =
  t.first <- Int.min t.first at;
  t.last <- Int.max t.last at;
  Parts.listen t.parts ~ring ~at event;
  Waits.listen t.waits ~ring ~at event;
  let d = domain t ring in
  match event with
  | Program_begins -> ()
  | Program_ends -> end_all t at
  | Begin phase ->
      count_collection t ring phase;
      Pause.begins d.pause at phase
  | End phase -> Option.iter (add_pause t d) (Pause.ends d.pause at phase)
  | Task Begin ->
      d.task_since <- Some at;
      d.tasks <- d.tasks + 1
  | Task End -> end_task t d at
  | Park Begin ->
      d.park_since <- Some at;
      t.parks <- t.parks + 1
  | Park End -> end_park d at
  | Steal _ -> d.steals <- d.steals + 1
  | Suspend _ -> t.suspensions <- t.suspensions + 1
  | Batch size -> add_batch t size
  | Loop_time time -> d.loop_time <- d.loop_time + time
  | Loop iterations -> end_loop t d iterations
  | Worker (Some id) ->
      d.worker <- Some id;
      d.worker_since <- Some at
  | Worker None -> end_worker d at
  | Pool_open size -> t.pool <- Int.max t.pool size
  | Active n -> change_active t n at
  | Unserved time -> t.unserved <- t.unserved + time
  | Pool_close _ -> change_active t t.pool at
  | Unknown Begin ->
      Pause.forget d.pause;
      end_task t d at;
      end_park d at;
      if d.unknown_since = None then d.unknown_since <- Some at
  | Unknown End -> end_unknown d at
  | Resume _ | Wait _ | Site _ | Named _ | Stand_by _ | Standing _ -> ()

(* From the first event to the last. *)
let span t = Int.max 0 (t.last - t.first)
let sum t f = Hashtbl.fold (fun _ d n -> n + f d) t.domains 0

(* The time in which the program had something to do: all in its tasks, and that of the main domain
   when it is no worker. *)
let busy t =
  let outside =
    match Hashtbl.find_opt t.domains 0 with Some main -> span t - main.as_worker | None -> 0
  in
  outside + sum t (fun d -> d.in_tasks)

(* What was open may have ended. *)
let on_lost t ring =
  let d = domain t ring in
  Parts.lose t.parts ring;
  Waits.lose t.waits ring;
  Pause.forget d.pause;
  d.task_since <- None;
  d.park_since <- None
