(* Disturbances: what happens to a thread at a moment that nobody has chosen, by the seed.

   Plain writes are seen late (see [Lines]). Delays come before accesses to what others could see: most are short, a few as long as the loss of the
   processor. So the schedule is another one with each seed.

   Signals may come to the main thread at the allocations of the original sources, and where it waits for the system:
   see [with_signals]. *)

open World

let longest_delay = 17 (* its logarithm, in nanoseconds *)

let delays ~one_in =
  let w = !w in
  w.keeps_stores <- true;
  let random n = Random.State.int w.random n in
  let delay t =
    if random one_in = 0 then t.time <- t.time + (1 lsl random longest_delay);
    if random (1000 * one_in) = 0 then t.time <- t.time + (w.model.slice / (1 + random 4))
  in
  w.at_access <- Some delay;
  Turns.set_horizon ()

(* Whether the innermost frame of the project is one of the simulator. *)
let is_simulators (info : Gc.Memprof.allocation) =
  let file slot =
    Option.map (fun (l : Printexc.location) -> l.filename) (Printexc.Slot.location slot)
  in
  let is_of folder f = String.starts_with ~prefix:folder f in
  let slots = Option.value (Printexc.backtrace_slots info.callstack) ~default:[||] in
  let known = function
    | Some f when is_of "sim/" f -> Some true
    | Some f when String.contains f '/' -> Some false
    | Some _ | None -> None
  in
  Option.value (Array.find_map (fun slot -> known (file slot)) slots) ~default:true

(* Where a signal's handler may run. *)
let signal () =
  let w = !w in
  let t = w.me in
  match w.at_signal with
  | Some handler when t.number = 0 && t.masked = 0 && not w.is_alone -> Turns.alone handler
  | Some _ | None -> ()

(* [with_signals handler run] is [run ()], where [handler] is called wherever a handler may run. It may raise; it
   may not wait. *)
let with_signals handler run =
  let allocated info =
    if (me ()).number = 0 && not (is_simulators info) then signal ();
    None
  in
  let tracker = { Gc.Memprof.null_tracker with alloc_minor = allocated; alloc_major = allocated } in
  !w.at_signal <- Some handler;
  ignore (Gc.Memprof.start ~sampling_rate:1. ~callstack_size:12 tracker : Gc.Memprof.t);
  Fun.protect run ~finally:(fun () ->
      Gc.Memprof.stop ();
      !w.at_signal <- None)
