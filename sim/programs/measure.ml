(* Measure: what a program does on a machine. Each run is in a process of its own, so that it begins as a program
   does. *)

open Drover_machine
open World

type line = { name : string; stall : int; misses : int; waits : int; failures : int }

type t = {
  elapsed : int;
  is_right : bool;
  workers : int;
  total : account; (* of all threads, in the meantime *)
  collections : int;
  woken : int;
  accesses : int;
  steps : int;
  turns : int;
  counters : (string * int) list;
  lines : line list; (* what cost most, first *)
  cost : float; (* seconds of processor time, of the simulation *)
}

let add_account a b =
  a.busy <- a.busy + b.busy;
  a.stalled <- a.stalled + b.stalled;
  a.spun <- a.spun + b.spun;
  a.collected <- a.collected + b.collected;
  a.queued <- a.queued + b.queued;
  a.blocked <- a.blocked + b.blocked

(* Of the threads of workers, up to now. *)
let total () =
  let sum = no_account () and now = (me ()).time in
  let add t =
    if t.domain != no_domain && t.status <> Ended then begin
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
  List.sort (fun a b -> Int.compare b.stall a.stall) (Hashtbl.fold line !w.sites [])

let counters () =
  List.sort compare (Hashtbl.fold (fun name n all -> (name, !n) :: all) !w.counters [])

(* All workers have run something, and what the scheduler measures is of late. *)
let warm_up workers ~gap =
  Drover.parallel_for ~start:1 ~finish:(8 * workers) (fun _ -> Work.busy 20_000);
  Work.busy gap

let in_task ~workers ~gap (p : Programs.t) () =
  warm_up workers ~gap;
  let w = !w in
  Hashtbl.reset w.sites;
  Hashtbl.reset w.counters;
  let before = total () and since = (me ()).time in
  let collections = w.collections and woken = w.woken and accesses = w.accesses in
  let steps = w.steps and turns = w.turns and cost = Sys.time () in
  let is_right = p.run () in
  {
    elapsed = (me ()).time - since;
    is_right;
    workers;
    total = difference (total ()) before;
    collections = w.collections - collections;
    woken = w.woken - woken;
    accesses = w.accesses - accesses;
    steps = w.steps - steps;
    turns = w.turns - turns;
    counters = counters ();
    lines = lines ();
    cost = Sys.time () -. cost;
  }

let here ?seed ?neighbours ?workers ?(gap = 200_000) model p =
  let workers = Option.value workers ~default:model.Model.processors in
  Run.run ?seed ?neighbours model (fun () ->
      let pool = Drover.Pool.create ~domains:workers () in
      let measured = Drover.Pool.run pool (in_task ~workers ~gap p) in
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

let run ?seed ?neighbours ?workers ?gap model p =
  apart (fun () -> here ?seed ?neighbours ?workers ?gap model p)
