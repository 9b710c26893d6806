(* Promise: the outcome of a task, or of whatever the holder of a resolver does. *)

type 'a t = {
  outcome : ('a, Failure.t) result Ivar.t;
  team : Worker.team option; (* whose tasks settle it *)
  mutable settled_at : Profile.stamp;
}

type 'a resolver = 'a t

let make team = { outcome = Ivar.create (); team; settled_at = Profile.origin }

let create () =
  let p = make (Option.map (fun w -> w.Worker.team) (Worker.mine ())) in
  (p, p)

let of_value v = { outcome = Ivar.full (Ok v); team = None; settled_at = Profile.origin }

let settle caller p outcome =
  if !Profile.is_on then p.settled_at <- Profile.pass ();
  if not (Ivar.fill p.outcome outcome) then
    invalid_arg ("Drover.Promise." ^ caller ^ ": the promise is settled already")

let fulfil p v = settle "fulfil" p (Ok v)

let fail p ?(backtrace = Printexc.get_callstack 0) exn =
  settle "fail" p (Error { Failure.exn; backtrace; seen = false })

let is_settled p = Option.is_some (Ivar.peek p.outcome)

let peek p =
  let see (f : Failure.t) =
    f.seen <- true;
    (f.exn, f.backtrace)
  in
  Option.map (Result.map_error see) (Ivar.peek p.outcome)

let get p outcome =
  if !Profile.is_on then Profile.meet p.settled_at;
  Failure.get outcome

(* A wait that is cancelled leaves nothing behind. *)
let wait p =
  let seat = Ivar.seat () in
  let register waiter = Ivar.sit p.outcome seat (fun () -> ignore (Waiter.wake waiter : bool)) in
  try Waiter.wait register
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    Ivar.leave p.outcome seat;
    Printexc.raise_with_backtrace exn backtrace

let rec await p =
  match Ivar.peek p.outcome with
  | Some outcome -> get p outcome
  | None ->
      (match (Worker.mine (), p.team) with
      | None, Some team -> Caller.wait team p.outcome
      | Some _, _ | None, None -> wait p);
      await p

let on_unawaited_failure report = Atomic.set Failure.report_to report

(* The value of [p], whose task is cancelled when the caller is: waits for it in any case. *)
let rec join p =
  match Ivar.peek p.outcome with
  | Some outcome -> get p outcome
  | None ->
      (match (Worker.mine (), p.team) with
      | None, Some team -> Caller.wait team p.outcome
      | Some _, _ | None, None -> Task.wait (Ivar.on_fill p.outcome));
      join p

(* A promise for [f ()], run as a task of [team] in this context; [None] if [team] is closed to the
   caller. A task that is cancelled before it starts does not call [f]. [on_end] must not raise. *)
let start team context ~on_end f =
  let p = make (Some team) in
  let body () =
    let outcome =
      match Failure.catch Task.poll with
      | Ok () -> Task.let_go (Failure.catch f)
      | Error _ as cancelled -> cancelled
    in
    settle "start" p outcome;
    on_end outcome
  in
  match Task.create team context body with
  | None -> None
  | Some job ->
      Team.add team ~urgent:context.urgent job;
      Some p

(* The failure of a task that goes its own way is reported if nobody awaits it. *)
let watch (team : Worker.team) = Result.iter_error (Failure.watch team.unseen)
