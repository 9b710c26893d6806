(* Main loop: what tasks and threads ask of it.

   The outcome comes by way of a promise of Drover's, so a task suspends and a thread blocks. *)

type 'a call = {
  f : unit -> 'a Lwt.t;
  outcome : 'a Drover.Promise.t;
  resolver : 'a Drover.Promise.resolver;
  mutable promise : 'a Lwt.t option; (* what [f] returned *)
}

let refuse name =
  invalid_arg
    (Printf.sprintf "Drover_lwt.%s: called from the main loop, which would wait for itself" name)

(* The first to settle it is right. *)
let succeed c v = try Drover.Promise.fulfil c.resolver v with Invalid_argument _ -> ()

let fail c ?backtrace exn =
  try Drover.Promise.fail c.resolver ?backtrace exn with Invalid_argument _ -> ()

(* On the loop. *)
let start c () =
  if not (Drover.Promise.is_settled c.outcome) then
    match c.f () with
    | promise ->
        c.promise <- Some promise;
        Lwt.on_any promise (succeed c) (fail c ?backtrace:None)
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
      (* The caller is cancelled, and nobody wants the promise any more. *)
      let backtrace = Printexc.get_raw_backtrace () in
      fail c exn;
      post (fun () -> Option.iter Lwt.cancel c.promise);
      Printexc.raise_with_backtrace exn backtrace

let call name f =
  if Loop.is_here () then refuse name;
  let outcome, resolver = Drover.Promise.create () in
  let c = { f; outcome; resolver; promise = None } in
  Waits.during (fun exn -> fail c exn) (fun () -> wait c)

let run_in_main f = call "run_in_main" f
let await promise = call "await" (fun () -> promise)
let run_in_main_dont_wait f handler = post (fun () -> Lwt.dont_wait f handler)
