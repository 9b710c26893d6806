(* Disturbances: what happens to a thread at a moment that nobody has chosen, by the seed.

   Delays come before accesses to what others could see: most are short, a few as long as the loss of the
   processor. So the schedule is another one with each seed.

   Strikes come at allocations of the original sources, as a signal's handler or a callback of Memprof would: see
   [at_allocations]. *)

open World

let longest_delay = 17 (* its logarithm, in nanoseconds *)

let delays ~one_in =
  let w = !w in
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

(* [at_allocations f run] is [run ()], where [f] is called at allocations on the main thread. It may raise; it may
   not wait. *)
let at_allocations f run =
  let is_main t = t.number = 0 in
  let allocated info =
    let t = me () in
    if is_main t && t.masked = 0 && (not !w.is_alone) && not (is_simulators info) then
      Turns.alone f;
    None
  in
  let tracker =
    { Gc.Memprof.null_tracker with alloc_minor = allocated; alloc_major = allocated }
  in
  ignore (Gc.Memprof.start ~sampling_rate:1. ~callstack_size:12 tracker : Gc.Memprof.t);
  Fun.protect run ~finally:Gc.Memprof.stop
