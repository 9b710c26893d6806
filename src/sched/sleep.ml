(* Sleep: a wait that the helper ends. *)

let in_task seconds =
  Waiting.until (fun waiter ->
      let wake () = ignore (Waiter.wake waiter : bool) in
      let timer = Helper.at (Clock.now () +. seconds) wake in
      fun () -> Helper.cancel timer)

(* More at a time is not for every system. *)
let rec delay seconds =
  Thread.delay (Float.min Helper.longest_sleep seconds);
  if seconds > Helper.longest_sleep then delay (seconds -. Helper.longest_sleep)

let sleep seconds =
  if Float.is_nan seconds then invalid_arg "Drover.sleep: not a number";
  match Worker.mine () with
  | Some _ -> if seconds > 0. then in_task seconds else Task.poll ()
  | None -> delay (Float.max 0. seconds)
