(* Call: a function that runs as a task while a fiber waits for its outcome.

   Waiting --start--> Running cancel --end--> Ended, by the worker

   Waiting --stop--> Unwanted exn, by any domain: then the task never runs

   A task that runs is cancelled by what it left here: it ends at its next scheduling point. The
   fiber waits for that, unless it [leaves]. Whatever raises in the middle on the worker, the fiber
   hears of the end. *)

open Drover

type state = Waiting | Running of (exn -> unit) | Ended | Unwanted of exn

exception None_yet

let no_backtrace = Printexc.get_callstack 0

type 'a t = {
  mutable state : state; [@atomic]
  work : unit -> 'a;
  leaves : bool; (* the fiber does so when it is cancelled *)
  on_end : unit -> unit; (* of a task that was submitted; idempotent *)
  desk : Desk.t;
  mutable cancelled : exn option; (* by its fiber *)
  mutable value : 'a option; (* the outcome: this, or else those *)
  mutable exn : exn;
  mutable backtrace : Printexc.raw_backtrace;
}

let create ~leaves ~on_end work =
  {
    state = Waiting;
    work;
    leaves;
    on_end;
    desk = Desk.create ();
    cancelled = None;
    value = None;
    exn = None_yet;
    backtrace = no_backtrace;
  }

let state c = Atomic.Loc.get [%atomic.loc c.state]

(* How many have come, and how many have ended. Loops write the one and workers the other, so that
   they need not wait for each other's caches. Kernel: bench/eio rate. *)

let begun = Atomic.make_contended 0
let ended = Atomic.make_contended 0

let in_flight () =
  let ended = Atomic.get ended in
  Atomic.get begun - ended

let[@poll error] leave c before after =
  Atomic.Loc.compare_and_set [%atomic.loc c.state] before after
  && begin
    ignore (Atomic.fetch_and_add ended 1 : int);
    true
  end

(* On the worker *)

let hand_over c letter () =
  (match state c with
  | Running _ as running -> ignore (leave c running Ended : bool)
  | Waiting -> ignore (leave c Waiting (Unwanted c.exn) : bool)
  | Ended | Unwanted _ -> ());
  c.on_end ();
  Mailbox.send c.desk.box letter

let work c =
  let running = Running (Scope.canceller ()) in
  if Atomic.Loc.compare_and_set [%atomic.loc c.state] Waiting running then
    c.value <- Some (Desk.at c.desk c.work)

(* What it raises must not get lost for lack of memory. *)
let run_to_end c hand_over =
  match work c with
  | () -> Critical.finish hand_over
  | exception exn ->
      c.exn <- exn;
      c.backtrace <- Printexc.get_raw_backtrace ();
      Critical.finish hand_over

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

(* It cannot begin. *)
let give_up c exn =
  stop c exn;
  c.on_end ()

(* The task. *)
let run c () =
  match hand_over c (Mailbox.envelope Nudge) with
  | hand_over -> run_to_end c hand_over
  | exception exn -> give_up c exn

(* Raises nothing. *)
let submit c pool =
  match Pool.async pool (run c) with (_ : unit Promise.t) -> () | exception exn -> give_up c exn

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
  match (state c, c.cancelled) with
  | Ended, cancelled -> (
      match (c.value, cancelled) with
      | Some v, _ -> Ok v
      | None, Some exn when c.leaves || is_cancellation c.exn ->
          Printexc.raise_with_backtrace exn c.backtrace
      | None, _ -> Error (c.exn, c.backtrace))
  | (Waiting | Running _ | Unwanted _), Some exn -> raise exn
  | Unwanted exn, None -> Error (exn, no_backtrace)
  | (Waiting | Running _), None -> assert false (* the fiber has waited for the end *)

let outcome c =
  match result c with
  | Ok v -> v
  | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace
