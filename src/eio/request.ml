(* Request: what a task has the loop of its fiber do.

   The outcome comes by way of a promise of Drover's, so the task suspends. A task that is cancelled
   meanwhile withdraws the request, which cancels its fiber, and waits for its end: nothing of it goes
   on, and what it has returned nevertheless is not lost. *)

type 'a t = {
  f : unit -> 'a;
  outcome : 'a Drover.Promise.t;
  resolver : 'a Drover.Promise.resolver;
  mutable withdrawn : exn option; (* of the loop's domain only, like what follows *)
  mutable context : Eio.Cancel.t option; (* of its fiber, while that runs *)
}

let no_fiber = Failure "Drover_eio: the fiber that the task ran for has gone on without it"

(* The first to settle it is right. *)
let succeed r v = ignore (Drover.Promise.try_fulfil r.resolver v : bool)
let fail ?backtrace r exn = ignore (Drover.Promise.try_fail r.resolver ?backtrace exn : bool)

(* On the loop's domain *)

let in_context r context =
  r.context <- Some context;
  r.f ()

let run r () =
  match Eio.Cancel.sub (in_context r) with
  | v ->
      r.context <- None;
      succeed r v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      r.context <- None;
      fail r ~backtrace exn

let begin_ (desk : Desk.t) r place =
  if desk.is_ending then fail r no_fiber
  else
    match r.withdrawn with
    | Some reason -> fail r (Eio.Cancel.Cancelled reason)
    | None -> Desk.fork desk place (run r) ~unless:(fun exn -> fail r exn)

(* Behind [begin_], or instead of it where the task was interrupted before. *)
let withdraw r reason _place =
  r.withdrawn <- Some reason;
  match r.context with
  | Some context -> Eio.Cancel.cancel context reason
  | None -> fail r (Eio.Cancel.Cancelled reason)

(* In the task *)

(* The task may be interruptible, but not in the middle of a post. *)
let post (desk : Desk.t) f =
  Drover.Scope.protect (fun () -> Mailbox.post desk.box (Mailbox.Request f))

(* The outcome of a request of a task that is cancelled. *)
let withdrawn desk r reason =
  let wait () = try ignore (Drover.await r.outcome) with _ -> () in
  if (not (Drover.Promise.is_settled r.outcome)) && post desk (withdraw r reason) then
    Drover.Scope.protect wait;
  Drover.Promise.peek r.outcome

let await (desk : Desk.t) r =
  match
    if not (post desk (begin_ desk r)) then raise no_fiber;
    Drover.await r.outcome
  with
  | v -> v
  | exception (Drover.Cancelled reason as exn) -> (
      let backtrace = Printexc.get_raw_backtrace () in
      match withdrawn desk r reason with
      | Some (Ok v) -> v
      | None | Some (Error (Eio.Cancel.Cancelled _, _)) ->
          Printexc.raise_with_backtrace exn backtrace
      | Some (Error (exn, backtrace)) -> Printexc.raise_with_backtrace exn backtrace)

let call name f =
  match Desk.here () with
  | None -> invalid_arg (Printf.sprintf "Drover_eio.%s: called outside the tasks of a fiber" name)
  | Some desk ->
      Drover.Scope.check ();
      let outcome, resolver = Drover.Promise.create () in
      await desk { f; outcome; resolver; withdrawn = None; context = None }

let in_loop f = call "in_loop" f

let await_in_loop p =
  match Eio.Promise.peek p with
  | Some v -> v
  | None -> call "await_in_loop" (fun () -> Eio.Promise.await p)
