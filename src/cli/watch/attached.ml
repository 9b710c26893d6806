let proc pid name = Printf.sprintf "/proc/%d/%s" pid name

let read file =
  try Some (In_channel.with_open_bin file In_channel.input_all) with Sys_error _ -> None

let words text = List.filter (( <> ) "") (String.split_on_char '\000' text)

let name pid =
  match Option.map words (read (proc pid "cmdline")) with
  | Some (_ :: _ as argv) -> Printf.sprintf "process %d: %s" pid (String.concat " " argv)
  | _ -> Printf.sprintf "process %d" pid

let is_alive pid =
  match Unix.kill pid 0 with
  | () -> true
  | exception Unix.Unix_error (ESRCH, _, _) -> false
  | exception Unix.Unix_error _ -> true

(* Where its runtime writes: the folder that a variable names, or else the one where it began. *)
let directory pid =
  let variable = "OCAML_RUNTIME_EVENTS_DIR=" in
  let environment = Option.fold (read (proc pid "environ")) ~none:[] ~some:words in
  match List.find_opt (String.starts_with ~prefix:variable) environment with
  | Some binding ->
      let n = String.length variable in
      String.sub binding n (String.length binding - n)
  | None -> ( try Unix.readlink (proc pid "cwd") with Unix.Unix_error _ -> ".")

(* Seconds of processor time so far. The words behind the name, which may have blanks: the 12th and
   13th are user and system time, in ticks. *)
let cpu pid =
  let behind text =
    String.sub text (String.rindex text ')') (String.length text - String.rindex text ')')
  in
  match
    Option.map (fun text -> String.split_on_char ' ' (behind text)) (read (proc pid "stat"))
  with
  | Some fields when List.length fields > 13 ->
      (float_of_string (List.nth fields 12) +. float_of_string (List.nth fields 13)) /. 100.
  | _ -> 0.

let now () = Int64.to_int Runtime_events.Timestamp.(to_int64 (get_current ()))
let look = 0.02

let until_end ~pid ~until read =
  let stopped = ref false in
  let before = Sys.signal Sys.sigint (Signal_handle (fun _ -> stopped := true)) in
  let used = ref 0. in
  let rec go () =
    let goes_on = is_alive pid && (not !stopped) && Unix.gettimeofday () < until in
    if goes_on then used := cpu pid;
    read ();
    if goes_on then begin
      (try Unix.sleepf look with Unix.Unix_error (EINTR, _, _) -> ());
      go ()
    end
  in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigint before) go;
  !used

let follow ~pid ~seconds listen cursor : Watch.outcome =
  let start = now () and cpu_before = cpu pid and machine = Drover_show.Contention.start () in
  let until = Unix.gettimeofday () +. Option.value seconds ~default:infinity in
  let lost = ref 0 and whereabouts = Whereabouts.create ~start listen in
  let lose ~ring words =
    lost := !lost + words;
    Whereabouts.lose whereabouts ~ring
  in
  let read listen ~lost =
    ignore (Runtime_events.read_poll cursor (Event.callbacks listen ~lost) None : int)
  in
  listen ~ring:0 ~at:start Program_begins;
  Whereabouts.recall whereabouts read;
  let cpu_after =
    until_end ~pid ~until (fun () -> read (Whereabouts.hear whereabouts) ~lost:lose)
  in
  let finish = now () in
  listen ~ring:0 ~at:finish Program_ends;
  {
    status = WEXITED 0;
    seconds = float (finish - start) *. 1e-9;
    cpu = Float.max 0. (cpu_after -. cpu_before);
    idle = Drover_show.Contention.idle machine;
    lost = !lost;
    hears_drover = Whereabouts.knows_drover whereabouts;
    execs = 0;
    unseen = 0.;
  }

let no_events pid =
  Printf.sprintf
    "process %d writes no runtime events. Start it with OCAML_RUNTIME_EVENTS_START=1 (and, for \
     larger buffers, OCAMLRUNPARAM=e=20). Its file is in the folder where it was started, or in \
     OCAML_RUNTIME_EVENTS_DIR."
    pid

let no_right pid =
  Printf.sprintf
    "process %d is of another user, so you may not read its events: observe it as that user, or as \
     root"
    pid

let is_denied file =
  match Unix.access file [ R_OK ] with
  | () -> false
  | exception Unix.Unix_error (error, _, _) -> error = EACCES

let run ~pid ~seconds listen =
  if not (is_alive pid) then Error (Printf.sprintf "%d: there is no such process" pid)
  else
    let dir = directory pid in
    if not (Ring_file.is_complete (Ring_file.make ~dir pid)) then
      Error (if is_denied (proc pid "environ") then no_right pid else no_events pid)
    else
      match Runtime_events.create_cursor (Some (dir, pid)) with
      | exception Failure why -> Error (Printf.sprintf "%d: %s" pid why)
      | cursor ->
          let finally () = Runtime_events.free_cursor cursor in
          Fun.protect ~finally (fun () -> Ok (follow ~pid ~seconds listen cursor))
