(* Detached: tasks that the main loop starts, and whose outcome comes back to it.

   Waiting --start--> Started, by the worker

   Waiting --cancel--> Cancelled, by the loop: then the task never runs *)

open Drover

type state = Waiting | Started | Cancelled
type 'a outcome = Nothing | Value of 'a | Raised of exn * Printexc.raw_backtrace

let limit = Limit.create 1_000

let catch f =
  match f () with v -> Value v | exception exn -> Raised (exn, Printexc.get_raw_backtrace ())

let step state after = Atomic.compare_and_set state Waiting after

(* On a worker. The loop hears of the end in any case, since there is room for another task. *)
let run limit state f tell () =
  let outcome = if step state Started then catch f else Nothing in
  Loop.post (fun () ->
      Limit.leave limit;
      tell outcome)

(* Starts the task, in [pool] or the default one; [false] if it is cancelled already. *)
let submit pool limit state f tell () =
  Atomic.get state = Waiting
  &&
  let pool = match pool with Some pool -> pool | None -> Pool.default () in
  match
    Pool.staff pool;
    Pool.async pool (run limit state f tell)
  with
  | (_ : unit Promise.t) -> true
  | exception exn ->
      tell (Raised (exn, Printexc.get_raw_backtrace ()));
      false

(* Lwt's handlers find the backtrace where they look for that of what was raised last. *)
let reject resolver exn backtrace =
  try Printexc.raise_with_backtrace exn backtrace with exn -> Lwt.wakeup_later_exn resolver exn

let resolve resolver = function
  | Nothing -> ()
  | Value v -> Lwt.wakeup_later resolver v
  | Raised (exn, backtrace) -> reject resolver exn backtrace

let check_caller name =
  if not (Loop.may_be_here ()) then
    invalid_arg
      (Printf.sprintf "Drover_lwt.%s: called from another thread than the main loop's" name)

let detach_within limit name pool f =
  check_caller name;
  let promise, resolver = Lwt.task () in
  let state = Atomic.make Waiting in
  Lwt.on_cancel promise (fun () -> ignore (step state Cancelled : bool));
  Limit.enter limit (submit pool limit state f (resolve resolver));
  promise

let detach ?pool f = detach_within limit "detach" pool f

(* Nobody has the promise of its end: what it raises goes where Lwt sends such exceptions. *)
let report = function
  | Nothing | Value () -> ()
  | Raised (exn, backtrace) -> (
      try Printexc.raise_with_backtrace exn backtrace with exn -> !Lwt.async_exception_hook exn)

let start ?pool f =
  check_caller "start";
  let promise, resolver = Lwt.task () in
  let state = Atomic.make Waiting in
  Lwt.on_cancel promise (fun () -> ignore (step state Cancelled : bool));
  let submit () =
    let started = submit pool limit state f report () in
    if started then Lwt.wakeup_later resolver ();
    started
  in
  Limit.enter limit submit;
  promise
