(* External: waits for what comes from outside, a time or a descriptor. *)

(* [start] has [wake] called then; a wait that is cancelled leaves nothing behind. *)
let suspend aim ~undo start =
  let started = ref None in
  let register waiter = started := Some (start (fun () -> ignore (Waiter.wake waiter : bool)))
  and give_up () = Option.iter undo !started in
  try Wait.wait aim register with exn -> Failure.raise_after give_up () exn

let suspend_for seconds = suspend "sleeps" ~undo:Timers.cancel (Poller.after seconds)

(* A day at a time: more is not for every system. *)
let rec delay seconds =
  Thread.delay (Float.min 86400. seconds);
  if seconds > 86400. then delay (seconds -. 86400.)

let sleep seconds =
  if Float.is_nan seconds then invalid_arg "Drover.sleep: not a number";
  match Worker.mine () with
  | Some _ when seconds > 0. -> Section.run suspend_for seconds
  | Some w ->
      Task.poll ();
      Section.run Yield.give_way w;
      Task.poll ()
  | None when Host.is_here () -> suspend_for (Float.max 0. seconds)
  | None -> delay (Float.max 0. seconds)

(* Descriptors *)

let wait descriptor ~for_writing =
  let request = Poll.request descriptor ~for_writing in
  let look seconds = Poll.wait [| request |] seconds in
  let rec block () =
    if request.state = Waiting then begin
      look Bell.glance;
      block ()
    end
  in
  Task.poll ();
  look 0.;
  match request.state with
  | Ready -> ()
  | Closed -> raise (Unix.Unix_error (EBADF, "poll", ""))
  | Waiting when Option.is_some (Worker.mine ()) || Host.is_here () ->
      Section.run (suspend "waits for a descriptor" ~undo:Poller.forget) (Poller.watch request)
  | Waiting -> block ()

let wait_readable = wait ~for_writing:false
let wait_writable = wait ~for_writing:true
