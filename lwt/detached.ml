(* Detached: tasks that the main loop starts, and whose outcome comes back to it.

   Waiting --start--> Running cancel, by the worker

   Waiting --cancel--> Unwanted, by the loop: then the task never runs

   A task that runs is cancelled by what it left here: it ends at its next scheduling point.

   Whatever raises in the middle, on the loop or on the worker, a task leaves its place, and its
   promise is resolved: [conclude] does both, and may be called more than once. *)

open Drover

type state = Waiting | Running of (exn -> unit) | Unwanted

exception None_yet

let no_backtrace = Printexc.get_callstack 0

type 'a detached = {
  mutable state : state; [@atomic]
  pool : Pool.t option;
  work : unit -> 'a;
  promise : 'a Lwt.t;
  resolver : 'a Lwt.u;
  on_start : (unit Lwt.t * unit Lwt.u) option; (* of a task whose end nobody waits for *)
  seat : Limit.seat;
  mutable value : 'a option; (* the outcome: this, or else those *)
  mutable exn : exn;
  mutable backtrace : Printexc.raw_backtrace;
}

type t = Detached : 'a detached -> t [@@unboxed]

let step d after = Atomic.Loc.compare_and_set [%atomic.loc d.state] Waiting after

let cancel d () =
  if not (step d Unwanted) then
    match Atomic.Loc.get [%atomic.loc d.state] with
    | Running cancel -> cancel Lwt.Canceled
    | Waiting | Unwanted -> ()

let is_wanted d = Atomic.Loc.get [%atomic.loc d.state] == Waiting

(* To be called first in a handler: the exception must not get lost for lack of memory. *)
let[@inline] keep d exn =
  d.exn <- exn;
  d.backtrace <- Printexc.get_raw_backtrace ()

(* Lwt's handlers find the backtrace where they look for that of what was raised last. *)
let reject resolver exn backtrace =
  let exn = match exn with Cancelled _ -> Lwt.Canceled | _ -> exn in
  try Printexc.raise_with_backtrace exn backtrace with exn -> Lwt.wakeup_later_exn resolver exn

let resolve d =
  if Lwt.is_sleeping d.promise then
    match d.value with
    | Some v -> Lwt.wakeup_later d.resolver v
    | None -> if d.exn != None_yet then reject d.resolver d.exn d.backtrace

let tell_start d =
  match d.on_start with
  | Some (started, resolver) when Lwt.is_sleeping started -> Lwt.wakeup_later resolver ()
  | Some _ | None -> ()

(* On the loop, when the task has ended, or if it could not be started. *)
let conclude limit d () =
  Limit.leave limit d.seat;
  (match Atomic.Loc.get [%atomic.loc d.state] with
  | Running _ -> tell_start d
  | Waiting | Unwanted -> ());
  resolve d

(* On a worker. The loop hears of the end in any case, since there is room for another task then. *)
let run d hand_over () =
  match if step d (Running (Scope.canceller ())) then d.value <- Some (d.work ()) with
  | () -> Critical.finish hand_over
  | exception exn ->
      keep d exn;
      Critical.finish hand_over

(* Makes it a task of its pool. *)
let submit d hand_over =
  let pool = match d.pool with Some pool -> pool | None -> Pool.default () in
  Pool.staff pool;
  ignore (Pool.async pool (run d hand_over) : unit Promise.t)

let start limit d =
  if is_wanted d && Limit.is_free d.seat then begin
    let conclude = conclude limit d in
    let hand_over = Loop.prepare conclude in
    match
      Limit.take limit d.seat;
      submit d hand_over
    with
    | () -> tell_start d
    | exception exn when step d Unwanted ->
        keep d exn;
        Critical.finish conclude
  end

let limit most = Limit.create (fun limit (Detached d) -> start limit d) most
let of_all = limit 1_000

let check_caller name =
  if not (Loop.may_be_here ()) then
    invalid_arg
      (Printf.sprintf "Drover_lwt.%s: called from another thread than the main loop's" name)

(* The collections of the loop's domain stop all workers. *)
let follows_minor_heap = ref false

let prepare name =
  check_caller name;
  if not !follows_minor_heap then begin
    follows_minor_heap := true;
    Pool.adapt_minor_heap ()
  end

let create ?pool ?on_start (promise, resolver) work =
  {
    state = Waiting;
    pool;
    work;
    promise;
    resolver;
    on_start;
    seat = Limit.seat ();
    value = None;
    exn = None_yet;
    backtrace = no_backtrace;
  }

let detach_within limit name pool work =
  prepare name;
  let d = create ?pool (Lwt.task ()) work in
  Lwt.on_cancel d.promise (cancel d);
  Limit.enter limit (Detached d);
  d.promise

let detach ?pool work = detach_within of_all "detach" pool work

(* What the task raises goes where Lwt sends such exceptions, unless it never started. *)
let start ?pool work =
  prepare "start";
  let ((started, resolver) as on_start) = Lwt.task () in
  let d = create ?pool ~on_start (Lwt.wait ()) work in
  Lwt.on_cancel started (cancel d);
  Lwt.on_failure d.promise (function
    | exn when Lwt.is_sleeping started -> Lwt.wakeup_later_exn resolver exn
    | Lwt.Canceled -> ()
    | exn -> !Lwt.async_exception_hook exn);
  Limit.enter of_all (Detached d);
  started
