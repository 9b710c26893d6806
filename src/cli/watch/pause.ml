module E = Runtime_events

(* The phases of a ring, properly nested; a pause is an outermost one. A domain that is parked, or
   makes room for another one's heap, holds nobody up. *)
let holds_up (phase : E.runtime_phase) =
  match phase with
  | EV_DOMAIN_CONDITION_WAIT | EV_DOMAIN_RESIZE_HEAP_RESERVATION -> false
  | _ -> true

(* Where a domain does nothing but wait until the others stop, or go on: what such a phase takes
   beyond the phases within it. *)
let waits (phase : E.runtime_phase) =
  match phase with
  | EV_STW_API_BARRIER | EV_MINOR_LEAVE_BARRIER | EV_STW_LEADER | EV_STW_HANDLER
  | EV_INTERRUPT_REMOTE | EV_EMPTY_MINOR ->
      true
  | _ -> false

type span = { phase : E.runtime_phase; since : int; mutable inner : int }
type pause = { start : int; finish : int; in_minor : int; waiting : int }
type t = { mutable open_ : span list; mutable minor : int; mutable waiting : int }

let create () = { open_ = []; minor = 0; waiting = 0 }

(* Lost events: what is open may have ended. *)
let forget t = t.open_ <- []

let begins t at phase =
  if holds_up phase then begin
    if t.open_ = [] then begin
      t.minor <- 0;
      t.waiting <- 0
    end;
    t.open_ <- { phase; since = at; inner = 0 } :: t.open_
  end

let is_in_minor open_ = List.exists (fun span -> span.phase = E.EV_MINOR) open_

let close t at span =
  let own = at - span.since - span.inner in
  if waits span.phase then t.waiting <- t.waiting + own
  else if is_in_minor t.open_ then t.minor <- t.minor + own

let ends t at phase =
  match t.open_ with
  | span :: rest when span.phase = phase -> (
      close t at span;
      t.open_ <- rest;
      match rest with
      | [] -> Some { start = span.since; finish = at; in_minor = t.minor; waiting = t.waiting }
      | outer :: _ ->
          outer.inner <- outer.inner + at - span.since;
          None)
  | _ -> None

let rec finish t at =
  match t.open_ with
  | [] -> None
  | [ { phase; _ } ] -> ends t at phase
  | { phase; _ } :: _ ->
      ignore (ends t at phase : pause option);
      finish t at
