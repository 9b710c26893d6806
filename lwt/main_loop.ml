(* Main loop: what tasks and threads ask of it.

   The outcome comes by way of a promise of Drover's, so a task suspends and a thread blocks. *)

let refuse name =
  invalid_arg
    (Printf.sprintf "Drover_lwt.%s: called from the main loop, which would wait for itself" name)

(* Calls [f], and settles [wait] when its promise is resolved. *)
let start f wait resolver =
  let succeed v = if Waits.settle wait then Drover.Promise.fulfil resolver v
  and fail backtrace exn = if Waits.settle wait then Drover.Promise.fail resolver ?backtrace exn in
  match f () with
  | promise ->
      Lwt.on_any promise succeed (fail None);
      promise
  | exception exn ->
      fail (Some (Printexc.get_raw_backtrace ())) exn;
      Lwt.fail exn

let call name f =
  if Loop.is_here () then refuse name;
  let outcome, resolver = Drover.Promise.create () in
  let wait = Waits.add (fun exn -> Drover.Promise.fail resolver exn) in
  let started = ref None in
  Loop.post (fun () -> if not (Waits.is_settled wait) then started := Some (start f wait resolver));
  try Drover.await outcome
  with exn when Waits.settle wait ->
    (* Nobody settled it, so the caller was interrupted: nobody wants the promise any more. *)
    let backtrace = Printexc.get_raw_backtrace () in
    Loop.post (fun () -> Option.iter Lwt.cancel !started);
    Printexc.raise_with_backtrace exn backtrace

let run_in_main f = call "run_in_main" f
let await promise = call "await" (fun () -> promise)
let run_in_main_dont_wait f handler = Loop.post (fun () -> Lwt.dont_wait f handler)
