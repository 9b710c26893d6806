(* Where its runtime writes: the folder that a variable names, or else the one where it began. *)
let directory pid =
  Option.value (Process.variable pid "OCAML_RUNTIME_EVENTS_DIR") ~default:(Process.folder pid)

let now () = Int64.to_int Runtime_events.Timestamp.(to_int64 (get_current ()))
let look = 0.02

(* What ends it, and leaves figures to show. *)
let until_stopped f =
  let is_stopped = ref false in
  let handle signal = (signal, Sys.signal signal (Signal_handle (fun _ -> is_stopped := true))) in
  let before = List.map handle [ Sys.sigint; Sys.sigterm ] in
  let restore (signal, behaviour) = Sys.set_signal signal behaviour in
  Fun.protect ~finally:(fun () -> List.iter restore before) (fun () -> f is_stopped)

let follow ~pid listen ~on_look cursor =
  let start = now () and cpu_before = Process.cpu pid in
  let machine = Drover_show.Contention.start () in
  let used = ref 0. and lost = ref 0 and whereabouts = Whereabouts.create ~start listen in
  let lose ~ring words =
    lost := !lost + words;
    Whereabouts.lose whereabouts ~ring
  in
  let read listen ~lost =
    ignore (Runtime_events.read_poll cursor (Event.callbacks listen ~lost) None : int)
  in
  let outcome at : Watch.outcome =
    {
      status = WEXITED 0;
      seconds = float (at - start) *. 1e-9;
      cpu = !used;
      idle = Drover_show.Contention.idle machine;
      lost = !lost;
      hears_drover = Whereabouts.knows_drover whereabouts;
      execs = 0;
      unseen = 0.;
    }
  in
  let rec go is_stopped =
    let goes_on = Process.is_alive pid && not !is_stopped in
    if goes_on then used := Float.max 0. (Process.cpu pid -. cpu_before);
    read (Whereabouts.hear whereabouts) ~lost:lose;
    let at = now () in
    if goes_on && on_look whereabouts ~at (outcome at) then begin
      (try Unix.sleepf look with Unix.Unix_error (EINTR, _, _) -> ());
      go is_stopped
    end
    else at
  in
  listen ~ring:0 ~at:start Event.Program_begins;
  Whereabouts.recall whereabouts read;
  let finish = until_stopped go in
  listen ~ring:0 ~at:finish Program_ends;
  outcome finish

let no_events pid =
  Printf.sprintf
    "process %d writes no runtime events. Start it with OCAML_RUNTIME_EVENTS_START=1 (and, for \
     larger buffers, OCAMLRUNPARAM=e=20). Its file is in the folder where it was started, or in \
     OCAML_RUNTIME_EVENTS_DIR."
    pid

let check ~pid =
  let writes_events () =
    if Ring_file.is_complete (Ring_file.make ~dir:(directory pid) pid) then Ok ()
    else Error (no_events pid)
  in
  Result.bind (Process.check pid) writes_events

let watch ~pid listen ~on_look =
  let attach () =
    match Runtime_events.create_cursor (Some (directory pid, pid)) with
    | exception Failure why -> Error (Printf.sprintf "%d: %s" pid why)
    | cursor ->
        let finally () = Runtime_events.free_cursor cursor in
        Fun.protect ~finally (fun () -> Ok (follow ~pid listen ~on_look cursor))
  in
  Result.bind (check ~pid) attach

let run ~pid ~seconds listen =
  let until = Option.value seconds ~default:infinity in
  watch ~pid listen ~on_look:(fun _ ~at:_ outcome -> outcome.seconds < until)
