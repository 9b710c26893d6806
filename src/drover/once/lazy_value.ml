(* Lazy value.

   Delayed --claim--> Running --value or failure--> Forced
      ^------cancelled-----+

   The claimer computes; others await the end of that run, and look again. That a task was cancelled while it
   forced says nothing about the value: then the next one that wants it forces it. *)

type 'a state =
  | Delayed of (unit -> 'a)
  | Running of { task : int; ended : unit Ivar.t }
  | Forced of ('a, Failure.t) result

type 'a t = 'a state Atomic.t

let from_fun f = Atomic.make (Delayed f)
let from_val v = Atomic.make (Forced (Ok v))

let is_val l =
  match Atomic.get l with
  | Forced (Ok _) -> true
  | Forced (Error _) | Delayed _ | Running _ -> false

let until_ended = Wait.until_full "forces a lazy value"

(* It may be called again. *)
let end_run l ~before ~running ended outcome =
  let after =
    match outcome with
    | Error { Failure.exn = Token.Cancelled _; _ } -> before
    | Ok _ | Error _ -> Forced outcome
  in
  ignore (Atomic.compare_and_set l running after : bool);
  ignore (Ivar.fill ended () : bool)

(* Others wait for the end of a run once it is claimed, and an exception may come at each safepoint: so there is
   none from the claim to [catch], nor from there to the section; and what the end needs is there before, also
   the room on the stack. *)
let rec compute l before f =
  let ended = Ivar.create () in
  let running = Running { task = Task.number (); ended } in
  let conclude outcome = end_run l ~before ~running ended outcome in
  Section.reserve_stack ();
  if Atomic.compare_and_set l before running then begin
    let outcome = Failure.catch f in
    Section.run_reserved conclude outcome;
    Failure.get outcome
  end
  else forced l

(* A fiber of a host that comes again has the number of its thread: it waits for itself. *)
and forced l =
  match Atomic.get l with
  | Forced outcome -> Failure.get outcome
  | Delayed f as before -> compute l before f
  | Running { task; ended } ->
      if task = Task.number () && Task.is_told_apart () then
        invalid_arg "Drover.Lazy.force: called from within its own call";
      if not (Ivar.is_full ended) then Section.run until_ended ended;
      forced l

let force l =
  Point.pass ();
  forced l

let force_val = force
let map f l = from_fun (fun () -> f (force l))
let map_val f l = if is_val l then from_val (f (force l)) else map f l
