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

(* Of a frame, whether it is one of the simulator; none if it is not the project's. To look that up takes long. *)
let is_frame_simulators =
  let known = Hashtbl.create 1_000 in
  let of_slot slot =
    match Printexc.Slot.location slot with
    | Some { filename; _ } when String.starts_with ~prefix:"sim/" filename -> Some true
    | Some { filename; _ } when String.contains filename '/' -> Some false
    | Some _ | None -> None
  in
  let look_up frame =
    let slots = Printexc.backtrace_slots_of_raw_entry frame in
    Array.find_map of_slot (Option.value slots ~default:[||])
  in
  fun (frame : Printexc.raw_backtrace_entry) ->
    match Hashtbl.find_opt known frame with
    | Some answer -> answer
    | None ->
        let answer = look_up frame in
        Hashtbl.add known frame answer;
        answer

(* Whether the innermost frame of the project is one of the simulator. *)
let is_simulators (info : Gc.Memprof.allocation) =
  let frames = Printexc.raw_backtrace_entries info.callstack in
  Option.value (Array.find_map is_frame_simulators frames) ~default:true

(* Where a signal's handler may run. *)
let signal () =
  let w = !w in
  let t = w.me in
  match w.at_signal with
  | Some handler when t.number = 0 && t.masked = 0 && not w.is_alone -> Turns.alone handler
  | Some _ | None -> ()

(* [with_signals handler run] is [run ()], where [handler] is called wherever a handler may run; or, of the words that are
   allocated, at one in so many. It may raise; it may not wait. *)
let with_signals ?(one_in = 1) handler run =
  let allocated info =
    if (me ()).number = 0 && not (is_simulators info) then signal ();
    None
  in
  let tracker = { Gc.Memprof.null_tracker with alloc_minor = allocated; alloc_major = allocated } in
  !w.at_signal <- Some handler;
  ignore
    (Gc.Memprof.start ~sampling_rate:(1. /. float one_in) ~callstack_size:12 tracker : Gc.Memprof.t);
  Fun.protect run ~finally:(fun () ->
      Gc.Memprof.stop ();
      !w.at_signal <- None)
