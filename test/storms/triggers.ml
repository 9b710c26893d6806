(* Callbacks of OCaml's own: they come at safepoints, on any thread, and call the library there, or
   let another thread run. *)

open Fault

module type TRIGGER = sig
  val name : string
  val install : (unit -> unit) -> unit
  val among : Random.State.t -> int
  val start : unit -> unit
  val stop : unit -> unit
  val visit : unit -> unit
end

module Make
    (Trigger : TRIGGER)
    (Action : sig
      val action : action
    end) : KIND = struct
  let name = Trigger.name ^ "-" ^ Action.action.name
  let limits = no_limits
  let parameters ~domains:_ = ""
  let parts = Program.Everything
  let around f = f ()
  let is_known _ = false
  let companions = Action.action.companions
  let install () = Trigger.install (opportunity Action.action)

  let arm random =
    Trigger.start ();
    Fault.arm random ~among:(Trigger.among random)

  let disarm () =
    Fault.disarm ();
    Trigger.stop ()

  let wrap f =
    Trigger.visit ();
    f ()

  let count () = Atomic.get Fault.count
end

let between random least most =
  let ratio = float most /. float least in
  int_of_float (float least *. (ratio ** Random.State.float random 1.))

(* Handlers run on the threads of the main domain: workers leave signals to them. *)
module Signal = struct
  let name = "signal"
  let install act = Sys.set_signal Sys.sigalrm (Signal_handle (fun _ -> act ()))
  let among random = between random 1 20

  let set seconds =
    ignore
      (Unix.setitimer ITIMER_REAL { it_interval = seconds; it_value = seconds }
        : Unix.interval_timer_status)

  let start () = set 100e-6
  let stop () = set 0.
  let visit = ignore
end

(* All domains and threads that the first one starts are in its profile. *)
module Memprof = struct
  let name = "memprof"

  let install act =
    let alloc _ =
      act ();
      None
    in
    let tracker = { Gc.Memprof.null_tracker with alloc_minor = alloc; alloc_major = alloc } in
    ignore (Gc.Memprof.start ~sampling_rate:0.1 ~callstack_size:0 tracker : Gc.Memprof.t)

  let among random = between random 50 20_000
  let start = ignore
  let stop = ignore
  let visit = ignore
end

(* A minor collection, which another domain calls for, lets each domain run its finalisers at its
   next safepoint. They are those of the values that the domain itself has made. *)
module Finaliser = struct
  let name = "finaliser"
  let act = ref ignore

  (* When a domain ends, another takes its finalisers over, maybe before it is ready to run any. *)
  let rec attach () =
    let home = Domain.self () in
    let finalise () =
      if Domain.self () = home then begin
        attach ();
        !act ()
      end
    in
    Gc.finalise_last finalise (ref 0)

  let has_one = Domain.DLS.new_key (fun () -> false)

  let visit () =
    if not (Domain.DLS.get has_one) then begin
      Domain.DLS.set has_one true;
      attach ()
    end

  let collect () =
    while true do
      Unix.sleepf (if is_armed () then 100e-6 else 2e-3);
      if is_armed () then Gc.minor ()
    done

  let install f =
    act := f;
    ignore (Domain.spawn collect : unit Domain.t)

  let among random = between random 1 30
  let start = visit
  let stop = ignore
end

let make (module Trigger : TRIGGER) action : (module KIND) =
  (module Make
            (Trigger)
            (struct
              let action = action
            end))

let all =
  [
    make (module Signal) calls;
    make (module Memprof) calls;
    make (module Memprof) switches;
    make (module Finaliser) calls;
  ]
