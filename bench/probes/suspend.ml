open Drover_harness

(* Compaction gives back what dead objects occupied, so that resident memory is what is alive. *)
let live_bytes () =
  Gc.compact ();
  (Gc.stat ()).live_words * Sys.word_size / 8

(* The memory of this process that is in use, on Linux: the second field counts pages. The stacks of
   suspended tasks lie outside of OCaml's heap, so that only this figure shows them. *)
let resident_bytes () =
  match In_channel.with_open_bin "/proc/self/statm" In_channel.input_all with
  | exception Sys_error _ -> None
  | text -> (
      match List.filter_map int_of_string_opt (String.split_on_char ' ' text) with
      | _ :: pages :: _ -> Some (pages * 4096)
      | _ -> None)

let difference a b = match (a, b) with Some a, Some b -> Some (a - b) | _ -> None

type weight = { live : int; resident : int option; seconds : float }

(* What [start] leaves behind. *)
let weigh start =
  let live = live_bytes () and resident = resident_bytes () in
  let v, seconds = Clock.time start in
  let live = live_bytes () - live in
  (v, { live; resident = difference (resident_bytes ()) resident; seconds })

(* [n] tasks wait for one promise. They count themselves just before; the last one tells. *)
let tasks n =
  let gate, opener = Drover.Promise.create () in
  let all_there, tell = Drover.Promise.create () in
  let there = Atomic.make 0 in
  let task () =
    if Atomic.fetch_and_add there 1 = n - 1 then Drover.Promise.fulfil tell ();
    Drover.await gate
  in
  let start () =
    let promises = Array.init n (fun _ -> Drover.async task) in
    Drover.await all_there;
    promises
  in
  let promises, weight = weigh start in
  Drover.Promise.fulfil opener ();
  Array.iter Drover.await promises;
  weight

type _ Effect.t += Stop : unit Effect.t
type fiber = Ended | Stopped of (unit, fiber) Effect.Deep.continuation

let stopped () = match Effect.perform Stop with () -> Ended | effect Stop, k -> Stopped k
let resume = function Ended -> Ended | Stopped k -> Effect.Deep.continue k ()

(* The same number of continuations without any scheduler: what the runtime alone asks for. They
   stay until [f] has returned, lest their memory be used again for what [f] weighs. *)
let with_fibers n f =
  let fibers, weight = weigh (fun () -> Array.init n (fun _ -> stopped ())) in
  let v = f () in
  Array.iter (fun fiber -> ignore (resume fiber : fiber)) fibers;
  (weight, v)

let run (s : Probe.settings) =
  let n = Kernel.by_size s.size ~tiny:1000 ~quick:200_000 ~full:1_000_000 in
  let fiber, task = with_fibers n (fun () -> Drover.run ~domains:1 (fun () -> tasks n)) in
  let each bytes = float bytes /. float n in
  let heap ?goal label w = [ Probe.figure ?goal (label ^ ", heap") "bytes" (each w.live) ] in
  let resident label w =
    let figure bytes = Probe.figure (label ^ ", heap and stack") "bytes" (each bytes) in
    Option.to_list (Option.map figure w.resident)
  in
  List.concat
    [
      [ Probe.figure "suspended at once" "tasks" (float n) ];
      heap ~goal:(At_most 600.) "drover, a task" task;
      resident "drover, a task" task;
      heap "a bare continuation" fiber;
      resident "a bare continuation" fiber;
      [ Probe.figure "drover, start and suspend a task" "ns" (task.seconds *. 1e9 /. float n) ];
    ]

let probe : Probe.t = { name = "suspend"; doc = "the memory of a task that waits"; run }
