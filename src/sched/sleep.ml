(* Sleep: a wait that the helper ends. *)

let in_task seconds =
  Waiting.until (fun waiter ->
      let wake () = ignore (Waiter.wake waiter : bool) in
      let timer = Helper.at (Clock.now () +. seconds) wake in
      fun () -> Helper.cancel timer)

let sleep seconds =
  if Float.is_nan seconds then invalid_arg "Drover.sleep: not a number";
  match Worker.mine () with
  | Some _ -> if seconds > 0. then in_task seconds else Task.poll ()
  | None -> Thread.delay (Float.max 0. seconds)
