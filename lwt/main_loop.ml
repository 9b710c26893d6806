(* Main loop: what tasks and threads ask of it.

   The outcome comes by way of a promise of Drover's, so a task suspends and a thread blocks. *)

type 'a call = {
  f : unit -> 'a Lwt.t;
  outcome : 'a Drover.Promise.t;
  resolver : 'a Drover.Promise.resolver;
  mutable is_called : bool;
  mutable promise : 'a Lwt.t; (* what [f] returned *)
}

let refuse name =
  invalid_arg
    (Printf.sprintf "Drover_lwt.%s: called from the main loop, which would wait for itself" name)

(* The first to settle it is right. *)
let succeed c v = try Drover.Promise.fulfil c.resolver v with Invalid_argument _ -> ()

let fail c ?backtrace exn =
  try Drover.Promise.fail c.resolver ?backtrace exn with Invalid_argument _ -> ()

(* Calls [f] once, on the loop, and has its promise settle the outcome; twice does no harm. *)
let start c () =
  if not (c.is_called || Drover.Promise.is_settled c.outcome) then
    begin match
      c.is_called <- true;
      c.f ()
    with
    | promise -> c.promise <- promise
    | exception exn -> fail c ~backtrace:(Printexc.get_raw_backtrace ()) exn
    end;
  if c.is_called then Lwt.on_any c.promise (succeed c) (fail c ?backtrace:None)

let wait c =
  let cancel = Loop.prepare (fun () -> Lwt.cancel c.promise) in
  match
    Loop.post (start c);
    Drover.await c.outcome
  with
  | value -> value
  | exception exn when not (Drover.Promise.is_settled c.outcome) ->
      (* The caller was interrupted: nobody wants the promise any more. *)
      let backtrace = Printexc.get_raw_backtrace () in
      Critical.finish cancel;
      fail c exn;
      Printexc.raise_with_backtrace exn backtrace

let call name f =
  if Loop.is_here () then refuse name;
  let outcome, resolver = Drover.Promise.create () in
  (* What is rejected stands for the promise of a call that was interrupted. *)
  let c = { f; outcome; resolver; is_called = false; promise = Lwt.fail Lwt.Canceled } in
  Waits.during (fun exn -> fail c exn) (fun () -> wait c)

let run_in_main f = call "run_in_main" f
let await promise = call "await" (fun () -> promise)

let run_in_main_dont_wait f handler =
  let is_called = ref false in
  let call () =
    is_called := true;
    f ()
  in
  Loop.post (fun () -> if not !is_called then Lwt.dont_wait call handler)
