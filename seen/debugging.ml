(* Debugging: with DROVER_DEBUG, what [Debug] keeps and says is hooked to the engine. *)

let wanted (hold : Hold.t) : Debug.lock = { name = hold.name; holder = (fun () -> hold.holder) }

(* Every wait is listed. *)
let wait hold suspend x =
  let wants = Option.map wanted hold in
  let enter =
    match Worker.mine () with
    | Some { team; context = { token; locals; _ }; _ } ->
        let number, holds = Token.held token in
        Debug.task ~pool:team.name ~number ~holds ~wants ~locals
    | None -> Debug.thread ~wants
  in
  Fun.protect (fun () -> suspend x) ~finally:(enter ())

let loop _ _ f run = Extent.within Task.started_here (fun () -> run f)

(* Tells of a call that goes on for a second after its task was cancelled. *)
let call has_ended =
  match Worker.mine () with
  | None -> ignore
  | Some w ->
      let pool = w.team.name and locals = w.context.locals and place = Debug.here () in
      let tell () = if not (has_ended ()) then Debug.tell_of_call ~pool ~locals place in
      fun (_ : exn) -> ignore (Poller.after 1. tell : Timers.t)

let late (w : Worker.t) =
  Debug.tell_of_delay_here ~pool:w.team.name ~worker:w.id ~locals:w.context.locals

let () =
  if Debug.is_on then
    Hooks.installed :=
      {
        !Hooks.installed with
        start = Some Debug.with_start;
        loop = Some { around = loop };
        wait = Some { wait };
        call;
        late;
        pool_open = Watch.add;
        pool_close = Watch.remove;
        shortcuts = false;
      }
