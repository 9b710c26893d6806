(* Detached: tasks that the main loop starts, and whose outcome comes back to it.

   Waiting --start--> Running cancel, by the worker

   Waiting --cancel--> Unwanted, by the loop: then the task never runs

   A task that runs is cancelled by what it left here: it ends at its next scheduling point. *)

open Drover

type state = Waiting | Running of (exn -> unit) | Unwanted
type 'a outcome = Nothing | Value of 'a | Raised of exn * Printexc.raw_backtrace

type 'a detached = {
  mutable state : state; [@atomic]
  pool : Pool.t option;
  work : unit -> 'a;
  resolver : 'a Lwt.u;
  on_start : unit Lwt.u option; (* of a task whose end nobody waits for *)
}

type t = Detached : 'a detached -> t [@@unboxed]

let step d after = Atomic.Loc.compare_and_set [%atomic.loc d.state] Waiting after

let cancel d () =
  if not (step d Unwanted) then
    match Atomic.Loc.get [%atomic.loc d.state] with
    | Running cancel -> cancel Lwt.Canceled
    | Waiting | Unwanted -> ()

let is_wanted d = Atomic.Loc.get [%atomic.loc d.state] == Waiting

(* On a worker. *)
let compute d =
  if not (step d (Running (Scope.canceller ()))) then Nothing
  else
    match d.work () with
    | v -> Value v
    | exception Cancelled _ -> Raised (Lwt.Canceled, Printexc.get_raw_backtrace ())
    | exception exn -> Raised (exn, Printexc.get_raw_backtrace ())

(* Lwt's handlers find the backtrace where they look for that of what was raised last. *)
let reject resolver exn backtrace =
  try Printexc.raise_with_backtrace exn backtrace with exn -> Lwt.wakeup_later_exn resolver exn

let resolve d = function
  | Nothing -> ()
  | Value v -> Lwt.wakeup_later d.resolver v
  | Raised (exn, backtrace) -> reject d.resolver exn backtrace

(* On a worker. The loop hears of the end in any case, since there is room for another task then. *)
let run limit d () =
  let outcome = compute d in
  Loop.post (fun () ->
      Limit.leave limit;
      resolve d outcome)

(* Makes it a task of its pool. *)
let submit limit d =
  let pool = match d.pool with Some pool -> pool | None -> Pool.default () in
  match
    Pool.staff pool;
    Pool.async pool (run limit d)
  with
  | (_ : unit Promise.t) ->
      Option.iter (fun resolver -> Lwt.wakeup_later resolver ()) d.on_start;
      true
  | exception exn ->
      reject d.resolver exn (Printexc.get_raw_backtrace ());
      false

let limit most = Limit.create (fun limit (Detached d) -> is_wanted d && submit limit d) most
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

let detach_within limit name pool work =
  prepare name;
  let promise, resolver = Lwt.task () in
  let d = { state = Waiting; pool; work; resolver; on_start = None } in
  Lwt.on_cancel promise (cancel d);
  Limit.enter limit (Detached d);
  promise

let detach ?pool work = detach_within of_all "detach" pool work

(* What the task raises goes where Lwt sends such exceptions, unless it never started. *)
let start ?pool work =
  prepare "start";
  let ended, resolver = Lwt.wait () and started, on_start = Lwt.task () in
  let d = { state = Waiting; pool; work; resolver; on_start = Some on_start } in
  Lwt.on_cancel started (cancel d);
  Lwt.on_failure ended (function
    | exn when Lwt.is_sleeping started -> Lwt.wakeup_later_exn on_start exn
    | Lwt.Canceled -> ()
    | exn -> !Lwt.async_exception_hook exn);
  Limit.enter of_all (Detached d);
  started
