open Drover_show
open Drover_watch

type worker = {
  ring : int;
  name : string;
  busy : float;
  in_tasks : float;
  collecting : float;
  parked : float;
  unknown : float; (* the others are shares of the rest *)
  tasks : int;
  steals : int;
}

type batches = { count : int; operations : int; largest : int }

type t = {
  seconds : float;
  cpu : float;
  workers : worker list;
  size : int;
  tasks : int;
  resumed : int;
  steals : int;
  parks : int;
  longest_task : float;
  cheap_loops : float; (* seconds in loops whose iterations are cheap *)
  cheap_iteration : float; (* what one takes at most, on average *)
  batches : batches;
  parts : Parts.figures list;
  waits : Waits.figures list;
  minor_collections : int;
  major_collections : int;
  gc_share : float;
  minor_share : float;
  barrier_share : float;
  unserved : float;
  fewer_share : float;
  pauses : float array;
  unknown : float; (* of the workers' time *)
  lost : int;
  uses_drover : bool;
  lack : Watch.lack;
  remarks : string list;
  comparison : Comparison.t option; (* if it was asked for *)
}

(* Of a program that ran before nobody may have heard which worker a domain is. *)
let is_worker (d : Account.domain) =
  Option.is_some d.worker || d.tasks > 0 || d.parked > 0 || d.unknown > 0

let worker ~span (d : Account.domain) =
  let known = Float.max 1. (span -. float d.unknown) in
  let share n = float n /. known in
  {
    ring = d.ring;
    name =
      (match d.worker with
      | Some id -> Printf.sprintf "%d (worker %d)" d.ring id
      | None -> string_of_int d.ring);
    busy = share d.in_tasks;
    in_tasks = share (Int.max 0 (d.in_tasks - d.paused_in_tasks));
    collecting = float d.paused /. span;
    parked = share d.parked;
    unknown = float d.unknown /. span;
    tasks = d.tasks;
    steals = d.steals;
  }

(* What is known of less than a hundredth of its time says nothing. *)
let is_known (w : worker) = w.unknown < 0.99

let batches (a : Account.t) =
  Hashtbl.fold
    (fun size n b ->
      {
        count = b.count + n;
        operations = b.operations + (n * size);
        largest = Int.max b.largest size;
      })
    a.batches
    { count = 0; operations = 0; largest = 0 }

let sum_of f workers = List.fold_left (fun sum w -> sum +. f w) 0. workers

(* Of those that are known, for all. *)
let parallelism_of workers =
  let known = List.filter is_known workers in
  let all = float (List.length workers) /. float (Int.max 1 (List.length known)) in
  all *. sum_of (fun w -> w.busy) known

let make ?comparison ?(remarks = []) (a : Account.t) (outcome : Watch.outcome) =
  let domains =
    Hashtbl.fold (fun _ d all -> d :: all) a.domains []
    |> List.sort (fun (x : Account.domain) (y : Account.domain) -> Int.compare x.ring y.ring)
  in
  let sum = Account.sum a in
  let span = float (Int.max 1 (Account.span a)) in
  let whole = span *. float (Int.max 1 (List.length domains)) in
  let workers = match List.filter is_worker domains with [] -> domains | workers -> workers in
  let workers = List.map (worker ~span) workers in
  let seconds = Float.max 1e-9 outcome.seconds and parallelism = parallelism_of workers in
  let busy = parallelism *. span *. 1e-9 in
  let told = float a.unserved *. 1e-9 in
  let lack = Watch.lack outcome ~busy ~unserved:told in
  (* Loops that do not come by do not tell that they waited. *)
  let unserved = if lack = Watch.Taken then busy -. outcome.cpu else 0. in
  {
    seconds;
    cpu = outcome.cpu;
    workers;
    size = Int.max a.pool (List.length (List.filter is_worker domains));
    tasks = sum (fun d -> d.tasks) - a.suspensions;
    resumed = a.suspensions;
    steals = sum (fun d -> d.steals);
    parks = a.parks;
    longest_task = float a.longest_task *. 1e-9;
    cheap_loops = float a.cheap_loops *. 1e-9;
    cheap_iteration = float a.in_cheap_iterations *. 1e-9 /. float (Int.max 1 a.cheap_iterations);
    batches = batches a;
    parts = Parts.figures a.parts;
    waits = Waits.figures a.waits;
    minor_collections = a.minor_collections;
    major_collections = a.major_collections;
    gc_share = float (sum (fun d -> d.paused)) /. whole;
    minor_share = float a.in_minor /. whole;
    barrier_share = float a.in_barriers /. whole;
    unserved = Float.max unserved told;
    fewer_share = float a.fewer /. span;
    pauses = Dynarray.to_array a.pauses;
    unknown =
      sum_of (fun (w : worker) -> w.unknown) workers /. float (Int.max 1 (List.length workers));
    lost = outcome.lost;
    uses_drover = outcome.hears_drover;
    lack;
    remarks = Watch.remarks outcome @ remarks;
    comparison;
  }

let parallelism t = parallelism_of t.workers
let knows_workers t = List.exists is_known t.workers

(* The workers' whole time. *)
let whole t = float (Int.max 1 t.size) *. t.seconds
let quantile t q = if Array.length t.pauses = 0 then 0. else Stats.quantile q t.pauses
