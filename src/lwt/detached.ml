(* Detached: tasks that the main loop starts, and whose outcome comes back to it.

   Waiting --start--> Running cancel, by the worker

   Waiting --cancel--> Unwanted, by the loop: then the task never runs

   A task that runs is cancelled by what it left here: it ends at its next scheduling point. *)

open Drover

type state = Waiting | Running of (exn -> unit) | Unwanted

type 'a detached = {
  mutable state : state; [@atomic]
  caller : string; (* the function of ours that made it *)
  pool : Pool.t option;
  work : unit -> 'a;
  promise : 'a Lwt.t;
  resolver : 'a Lwt.u;
  on_start : (unit Lwt.t * unit Lwt.u) option; (* of a task whose end nobody waits for *)
  mutable outcome : ('a, exn * Printexc.raw_backtrace) result option;
      (* unless it was cancelled before *)
  mutable is_in_flight : bool; (* of the loop's thread only *)
}

type t = Detached : 'a detached -> t [@@unboxed]

let step d after = Atomic.Loc.compare_and_set [%atomic.loc d.state] Waiting after

let cancel d () =
  if not (step d Unwanted) then
    match Atomic.Loc.get [%atomic.loc d.state] with
    | Running cancel -> cancel Lwt.Canceled
    | Waiting | Unwanted -> ()

let is_wanted d = Atomic.Loc.get [%atomic.loc d.state] == Waiting

let catch f =
  match f () with v -> Ok v | exception exn -> Error (exn, Printexc.get_raw_backtrace ())

(* Lwt's handlers find the backtrace where they look for that of what was raised last. *)
let reject resolver exn backtrace =
  let exn = match exn with Cancelled _ -> Lwt.Canceled | _ -> exn in
  try Printexc.raise_with_backtrace exn backtrace with exn -> Lwt.wakeup_later_exn resolver exn

let resolve d =
  if Lwt.is_sleeping d.promise then
    match d.outcome with
    | Some (Ok v) -> Lwt.wakeup_later d.resolver v
    | Some (Error (exn, backtrace)) -> reject d.resolver exn backtrace
    | None -> ()

let tell_start d =
  match d.on_start with
  | Some (started, resolver) when Lwt.is_sleeping started -> Lwt.wakeup_later resolver ()
  | Some _ | None -> ()

(* It is noted and counted in one step each: no safepoint lies between. *)

let[@poll error] enter_flight limit d =
  d.is_in_flight <- true;
  Limit.count limit 1

let[@poll error] leave_flight limit d =
  if d.is_in_flight then begin
    d.is_in_flight <- false;
    Limit.count limit (-1)
  end

let end_flight limit d =
  leave_flight limit d;
  Limit.admit limit;
  resolve d

(* On the loop, when the task has ended, or if it could not be started. What the handler of a signal
   interrupts is begun again. *)
let conclude limit d () =
  try end_flight limit d
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    end_flight limit d;
    Printexc.raise_with_backtrace exn backtrace

(* On a worker. The loop hears of the end in any case, since there is room for another task then. *)
let run limit d () =
  if step d (Running (Drover_bridge.canceller ())) then d.outcome <- Some (catch d.work);
  Loop.post (conclude limit d)

(* Makes it a task of its pool. *)
let submit limit d =
  let pool = match d.pool with Some pool -> pool | None -> Pool.default () in
  Drover_bridge.staff_for d.caller pool;
  ignore (Pool.async pool (run limit d) : unit Promise.t)

let start limit d =
  if is_wanted d then begin
    enter_flight limit d;
    match submit limit d with
    | () -> tell_start d
    | exception exn ->
        d.outcome <- Some (Error (exn, Printexc.get_raw_backtrace ()));
        conclude limit d ()
  end

let limit most = Limit.create (fun limit (Detached d) -> start limit d) most
let of_all = limit 1_000

let check_caller name =
  if not (Loop.may_be_here ()) then
    invalid_arg (name ^ ": called from another thread than the main loop's")

(* The collections of the loop's domain stop all workers. *)
let follows_minor_heap = ref false

let prepare name =
  check_caller name;
  if not !follows_minor_heap then begin
    follows_minor_heap := true;
    Drover_bridge.adapt_minor_heap ()
  end

let create caller ?pool ?on_start (promise, resolver) work =
  {
    state = Waiting;
    caller;
    pool;
    work;
    promise;
    resolver;
    on_start;
    outcome = None;
    is_in_flight = false;
  }

let detach_within limit name pool work =
  prepare name;
  let d = create name ?pool (Lwt.task ()) work in
  Lwt.on_cancel d.promise (cancel d);
  Limit.enter limit (Detached d);
  d.promise

let detach_for name ?pool work = detach_within of_all name pool work
let detach ?pool work = detach_for "Drover_lwt.detach" ?pool work

(* What the task raises goes where Lwt sends such exceptions, unless it never started. *)
let start ?pool work =
  prepare "Drover_lwt.start";
  let ((started, resolver) as on_start) = Lwt.task () in
  let d = create "Drover_lwt.start" ?pool ~on_start (Lwt.wait ()) work in
  Lwt.on_cancel started (cancel d);
  Lwt.on_failure d.promise (function
    | exn when Lwt.is_sleeping started -> Lwt.wakeup_later_exn resolver exn
    | Lwt.Canceled -> ()
    | exn -> !Lwt.async_exception_hook exn);
  Limit.enter of_all (Detached d);
  started
