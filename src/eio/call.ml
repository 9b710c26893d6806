(* Call: a function that runs as a task while a fiber waits for its outcome.

   Waiting --start--> Running cancel --end--> Ended, by the worker

   Waiting --stop--> Unwanted exn, by any domain: then the task never runs

   A task that runs is cancelled by what it left here: it ends at its next scheduling point. The
   fiber waits for that, unless it [leaves]. *)

open Drover

type state = Waiting | Running of (exn -> unit) | Ended | Unwanted of exn

let no_backtrace = Printexc.get_callstack 0

type 'a t = {
  mutable state : state; [@atomic]
  work : unit -> 'a;
  leaves : bool; (* the fiber does so when it is cancelled *)
  on_end : unit -> unit; (* of a task that was submitted *)
  desk : Desk.t;
  mutable cancelled : exn option; (* by its fiber *)
  mutable outcome : ('a, exn * Printexc.raw_backtrace) result option; (* of the task that ran *)
}

let create ~leaves ~on_end work =
  { state = Waiting; work; leaves; on_end; desk = Desk.create (); cancelled = None; outcome = None }

let state c = Atomic.Loc.get [%atomic.loc c.state]

(* How many have come, and how many have ended. Loops write the one and workers the other, so that
   they need not wait for each other's caches. Kernel: bench/eio rate. *)

let begun = Atomic.make_contended 0
let ended = Atomic.make_contended 0

let in_flight () =
  let ended = Atomic.get ended in
  Atomic.get begun - ended

let leave c before after =
  let is_first = Atomic.Loc.compare_and_set [%atomic.loc c.state] before after in
  if is_first then Atomic.incr ended;
  is_first

(* On any domain *)

let nudge c = ignore (Mailbox.post c.desk.box Nudge : bool)

(* Eio's exceptions and Drover's wrap the same reason. *)
let reason = function Eio.Cancel.Cancelled reason -> reason | exn -> exn

(* Ends it with [exn] if it has not begun, and cancels it if it runs. *)
let rec stop c exn =
  match state c with
  | Waiting -> if leave c Waiting (Unwanted exn) then nudge c else stop c exn
  | Running cancel -> cancel (reason exn)
  | Ended | Unwanted _ -> ()

(* The task. *)
let run c () =
  let running = Running (Drover_bridge.canceller ()) in
  if Atomic.Loc.compare_and_set [%atomic.loc c.state] Waiting running then begin
    c.outcome <-
      Some
        (match Desk.at c.desk c.work with
        | v -> Ok v
        | exception exn -> Error (exn, Printexc.get_raw_backtrace ()));
    ignore (leave c running Ended : bool)
  end;
  c.on_end ();
  nudge c

(* Raises nothing: what cannot be submitted ends at once. *)
let submit c pool =
  match Pool.async pool (run c) with
  | (_ : unit Promise.t) -> ()
  | exception exn ->
      stop c exn;
      c.on_end ()

(* On the fiber's domain *)

let cancel c exn =
  if Option.is_none c.cancelled then begin
    c.cancelled <- Some exn;
    stop c exn;
    if c.leaves then nudge c
  end

let is_over c () =
  match state c with
  | Ended | Unwanted _ -> true
  | Waiting | Running _ -> c.leaves && Option.is_some c.cancelled

(* Suspends the calling fiber, calls [begin_ ()], which submits [c] now or later, and waits for the
   end. Raises, before that, if the fiber is cancelled already. *)
let await c ~begin_ =
  let on_cancel = cancel c in
  Eio.Private.Suspend.enter "Drover_eio" (fun fiber enqueue ->
      Desk.sit_down c.desk ~on_cancel fiber enqueue;
      ignore (Atomic.fetch_and_add begun 1 : int);
      begin_ ());
  Desk.run c.desk ~on_cancel ~is_over:(is_over c)

let is_cancellation = function Cancelled _ -> true | _ -> false

(* Raises only if the fiber was cancelled, and the task has nothing else to tell; nor is one listened
   to that the fiber leaves. *)
let result c =
  match (state c, c.outcome, c.cancelled) with
  | Ended, Some (Error (task_exn, backtrace)), Some exn when c.leaves || is_cancellation task_exn ->
      Printexc.raise_with_backtrace exn backtrace
  | Ended, Some outcome, _ -> outcome
  | (Waiting | Running _ | Unwanted _), _, Some exn -> raise exn
  | Unwanted exn, _, None -> Error (exn, no_backtrace)
  | (Waiting | Running _), _, None | Ended, None, _ ->
      assert false (* the fiber has waited for the end, before which the outcome was there *)

let outcome c =
  match result c with
  | Ok v -> v
  | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace
