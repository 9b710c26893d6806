(* A fault: what goes wrong at a moment that the program has not chosen.

   A kind of fault has opportunities, such as a signal or an allocation, and an action. The schedule
   decides by the seed at which opportunities the action happens, while faults are armed.

   Disarmed --arm seed--> Armed --disarm--> Disarmed *)

exception Fault

module type KIND = sig
  val name : string

  val limits : domains:int -> string
  (** Shell commands for the process, such as [ulimit]. *)

  val parameters : domains:int -> string
  (** For [OCAMLRUNPARAM]. *)

  val install : unit -> unit
  (** Once in a process, before anything else happens. *)

  val arm : Random.State.t -> unit
  val disarm : unit -> unit

  val parts : Program.parts
  (** Of what programs are made. *)

  val around : (unit -> unit) -> unit
  (** [around f] is [f ()], around a whole program. *)

  val is_known : exn -> bool
  (** What may be raised because of it. *)

  val companions : int
  (** How many threads should be there to switch to. *)

  val wrap : (unit -> 'a) -> 'a
  (** [wrap f] is [f ()], around each step of a program. *)

  val count : unit -> int
  (** How many faults there were. *)
end

let no_limits ~domains:_ = ""

(* The schedule *)

let armed = Atomic.make false
let shields = Atomic.make 0
let count = Atomic.make 0
let countdown = Atomic.make 0
let mean = Atomic.make 1
let seed = Atomic.make 0

(* One step. *)
let[@poll error] disarm () = ignore (Atomic.exchange armed false : bool)
let[@poll error] shield () = ignore (Atomic.fetch_and_add shields 1 : int)
let[@poll error] unshield () = ignore (Atomic.fetch_and_add shields (-1) : int)

(* A random number below [n], from any domain at any time. *)
let random n =
  let x = Atomic.fetch_and_add seed 0x9E3779B97F4A7 in
  let x = x lxor (x lsr 29) * 0x3F58476D1CE4E5B9 in
  let x = x lxor (x lsr 32) * 0x14D049BB133111EB in
  (x lsr 33) mod n

let next () = Atomic.set countdown (1 + random (2 * Atomic.get mean))

(* About one opportunity of [among] is taken. *)
let arm random ~among =
  Atomic.set seed (Random.State.bits random);
  Atomic.set mean among;
  next ();
  Atomic.set armed true

let is_armed () = Atomic.get armed && Atomic.get shields = 0

let is_due () =
  is_armed ()
  && Atomic.fetch_and_add countdown (-1) = 1
  && begin
    next ();
    Atomic.incr count;
    true
  end

(* Actions *)

type action = { name : string; companions : int; act : unit -> unit }

(* What the program calls here does not wait. *)
let called = Atomic.make (fun () -> ())
let call () = try (Atomic.get called) () with _ -> ()
let calls = { name = "calls"; companions = 0; act = call }
let switches = { name = "switches"; companions = 2; act = Thread.yield }
let opportunity action () = if is_due () then action.act ()

(* For comparison: no faults. *)
module None : KIND = struct
  let name = "none"
  let limits = no_limits
  let parameters ~domains:_ = ""
  let install = ignore
  let arm random = arm random ~among:1
  let disarm = disarm
  let parts = Program.Everything
  let around f = f ()
  let is_known _ = false
  let companions = 0
  let wrap f = f ()
  let count () = Atomic.get count
end

(* Runs [f] while faults are armed: no safepoint lies between the end of [f] and the disarming. *)
let under (module Kind : KIND) random f =
  let outcome =
    match
      Kind.arm random;
      f ()
    with
    | v ->
        disarm ();
        Ok v
    | exception e ->
        disarm ();
        Error e
  in
  Kind.disarm ();
  outcome
