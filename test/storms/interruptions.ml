(* Asynchronous interruption as a fault: random parts of the program are interruptible, and are cancelled
   at random moments, from another domain. *)

open Fault

let name = "interruption"
let limits = no_limits
let parameters ~domains:_ = ""
let parts = Program.Everything
let around f = f ()
let is_known e = e = Fault
let companions = 0

(* The scopes that may be cancelled. *)
let scopes : Drover.Scope.t option Atomic.t array = Array.init 8 (fun _ -> Atomic.make None)
let slot () = scopes.(random (Array.length scopes))

let strike () =
  match Atomic.exchange (slot ()) None with
  | Some scope ->
      Atomic.incr count;
      Drover.Scope.cancel scope Fault
  | None -> ()

let rec strike_for_ever () =
  if is_armed () then begin
    Unix.sleepf (1e-6 *. float (random 50));
    strike ();
    Gc.minor ()
  end
  else Unix.sleepf 2e-3;
  strike_for_ever ()

let install () =
  Atomic.set World.interrupts true;
  ignore (Domain.spawn strike_for_ever : unit Domain.t)

let arm random = Fault.arm random ~among:1

let disarm () =
  disarm ();
  Array.iter (fun slot -> Atomic.set slot None) scopes

let body f scope =
  Atomic.set (slot ()) (Some scope);
  Drover.Scope.interruptible f

let wrap f = if is_armed () && random 3 = 0 then Drover.Scope.run (body f) else f ()
let count () = Atomic.get count
