(* Main loop: what tasks and threads ask of it.

   The outcome comes by way of a promise of Drover's, so a task suspends and a thread blocks. *)

type 'a call = {
  f : unit -> 'a Lwt.t;
  outcome : 'a Drover.Promise.t;
  resolver : 'a Drover.Promise.resolver;
  mutable leave : unit -> unit; (* on the loop: nobody wants the promise of [f] any more *)
}

let refuse name =
  invalid_arg
    (Printf.sprintf "Drover_lwt.%s: called from the main loop, which would wait for itself" name)

(* The first to settle it is right. What the handler of a signal raises in a callback of [Lwt.on_any] goes
   to [Lwt.async_exception_hook], and the loop may go on: so it must not keep the caller waiting. *)
let rec succeed c v =
  match Drover.Promise.try_fulfil c.resolver v with
  | (_ : bool) -> ()
  | exception exn ->
      succeed c v;
      raise exn

let rec fail c ?backtrace exn =
  match Drover.Promise.try_fail c.resolver ?backtrace exn with
  | (_ : bool) -> ()
  | exception struck ->
      fail c ?backtrace exn;
      raise struck

(* On the loop. *)
let start c () =
  match
    let is_waited_for () = not (Drover.Promise.is_settled c.outcome) in
    if is_waited_for () then begin
      let promise = Limit.on_behalf_of is_waited_for c.f in
      match Lwt.state promise with
      | Return v -> succeed c v
      | Fail exn -> fail c exn
      | Sleep ->
          (* One that cannot be cancelled may stay for long, and many may wait for it in turn: to cancel what
             protects it takes the callbacks away. *)
          let protected = Lwt.protected promise in
          c.leave <-
            (fun () ->
              Lwt.cancel promise;
              Lwt.cancel protected);
          Lwt.on_any protected (succeed c) (fail c ?backtrace:None)
    end
  with
  | () -> ()
  | exception exn -> fail c ~backtrace:(Printexc.get_raw_backtrace ()) exn

(* The task may be interruptible, but not in the middle of a post. *)
let post job = Drover.Scope.protect (fun () -> Loop.post job)

let wait c =
  match
    post (start c);
    Drover.await c.outcome
  with
  | value -> value
  | exception exn when not (Drover.Promise.is_settled c.outcome) ->
      (* The caller is cancelled. *)
      let backtrace = Printexc.get_raw_backtrace () in
      fail c exn;
      post (fun () -> c.leave ());
      Printexc.raise_with_backtrace exn backtrace

let call name f =
  if Loop.is_here () then refuse name;
  let outcome, resolver = Drover.Promise.create () in
  let c = { f; outcome; resolver; leave = ignore } in
  Waits.during (fun exn -> fail c exn) (fun () -> wait c)

let run_in_main f = call "run_in_main" f
let await promise = call "await" (fun () -> promise)
let run_in_main_dont_wait f handler = post (fun () -> Lwt.dont_wait f handler)
