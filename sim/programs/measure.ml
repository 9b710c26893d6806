(* Measure: what a program does on a machine. Each run is in a process of its own, so that it begins as a program
   does. *)

open Drover_machine
open World

type line = { name : string; stall : int; misses : int; waits : int; failures : int }

type t = {
  elapsed : int;
  is_right : bool;
  workers : int;
  total : account;
  collections : int;
  woken : int;
  accesses : int;
  steals : int;
  steals_in_vain : int;
  lines : line list;
}

let add_account a b =
  a.busy <- a.busy + b.busy;
  a.stalled <- a.stalled + b.stalled;
  a.spun <- a.spun + b.spun;
  a.collected <- a.collected + b.collected;
  a.queued <- a.queued + b.queued;
  a.blocked <- a.blocked + b.blocked

(* The first thread of a domain, rather than one that [Thread.create] has made *)
let is_worker (t : thread) = t.name = "main" || t.name = "worker"

(* Of the threads of workers, up to now. *)
let total () =
  let sum = no_account () and now = (me ()).time in
  let add t =
    if is_worker t && t.status <> Ended then begin
      add_account sum t.account;
      if t.status = Blocked then sum.blocked <- sum.blocked + Int.max 0 (now - t.since);
      if t.status = Queued then sum.queued <- sum.queued + Int.max 0 (now - t.since)
    end
  in
  List.iter add !w.threads;
  sum

let difference a b =
  {
    busy = a.busy - b.busy;
    stalled = a.stalled - b.stalled;
    spun = a.spun - b.spun;
    collected = a.collected - b.collected;
    queued = a.queued - b.queued;
    blocked = a.blocked - b.blocked;
  }

let lines () =
  let line name (s : site) all =
    { name; stall = s.stall; misses = s.misses; waits = s.waits; failures = s.failures } :: all
  in
  let dearer a b =
    match Int.compare b.stall a.stall with 0 -> String.compare a.name b.name | order -> order
  in
  List.sort dearer (Hashtbl.fold line !w.sites [])

let count name = Option.fold (Hashtbl.find_opt !w.counters name) ~none:0 ~some:( ! )

(* A thief that has lost the race for a job has failed to move the deque's top. *)
let failures_at name lines =
  List.fold_left (fun n (l : line) -> if l.name = name then n + l.failures else n) 0 lines

(* All workers have run something, and what the scheduler measures is of late. *)
let warm_up ~workers =
  Drover.parallel_for ~start:1 ~finish:(8 * workers) (fun _ -> Work.busy 20_000);
  Work.busy 200_000

let in_task ~workers (p : Program.sized) () =
  let run = p.prepare () in
  warm_up ~workers;
  let w = !w in
  Hashtbl.reset w.sites;
  Hashtbl.reset w.counters;
  let before = total () and since = (me ()).time in
  let collections = w.collections and woken = w.woken and accesses = w.accesses in
  Log.during "drover.name.program" run.go;
  let lines = lines () in
  let measured =
    {
      elapsed = (me ()).time - since;
      is_right = true;
      workers;
      total = difference (total ()) before;
      collections = w.collections - collections;
      woken = w.woken - woken;
      accesses = w.accesses - accesses;
      steals = count "steals";
      steals_in_vain = failures_at "Deque.top" lines;
      lines;
    }
  in
  { measured with is_right = run.is_right () }

let here ?seed ?neighbours ?workers model p =
  let workers = Option.value workers ~default:model.Model.processors in
  Run.run ?seed ?neighbours model (fun () ->
      let pool = Drover.Pool.create ~domains:workers () in
      let measured = Drover.Pool.run pool (in_task ~workers p) in
      Drover.Pool.close pool;
      measured)

(* [apart f] is [f ()], in a process that begins as this one. *)
let apart f =
  let out_of, into = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 ->
      let outcome = try Ok (f ()) with exn -> Error (Printexc.to_string exn) in
      let channel = Unix.out_channel_of_descr into in
      Marshal.to_channel channel outcome [];
      close_out channel;
      Unix._exit 0
  | child -> (
      Unix.close into;
      let channel = Unix.in_channel_of_descr out_of in
      let outcome = try Marshal.from_channel channel with End_of_file -> Error "it has died" in
      close_in channel;
      ignore (Unix.waitpid [] child : int * Unix.process_status);
      match outcome with Ok v -> v | Error text -> failwith text)

let run ?seed ?neighbours ?workers model p =
  apart (fun () -> here ?seed ?neighbours ?workers model p)

let log ?seed ?neighbours ?workers model p =
  apart (fun () ->
      let entries = ref [] in
      Log.listener := Some (fun entry -> entries := entry :: !entries);
      ignore (here ?seed ?neighbours ?workers model p : t);
      List.rev !entries)
