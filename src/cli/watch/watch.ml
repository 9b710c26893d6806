type outcome = {
  status : Unix.process_status;
  seconds : float;
  cpu : float;
  idle : float option;
  lost : int;
  hears_drover : bool;
  execs : int;
  unseen : float;
}

(* Larger rings than usual, unless the user chose: what a busy program writes between two looks must
   fit. In words, as a power of two. The runtime makes one for every domain that there may ever be,
   and all together must have less than 2^31 bytes. *)

let most_domains parameters =
  let of_parameter p =
    if String.starts_with ~prefix:"d=" p then
      int_of_string_opt (String.sub p 2 (String.length p - 2))
    else None
  in
  Option.value (List.find_map of_parameter parameters) ~default:128

let rec ring_size ~domains size =
  if size > 16 && domains * 8 * (1 lsl size) >= 1 lsl 31 then ring_size ~domains (size - 1)
  else size

let run_parameters () =
  let chosen = Option.value (Sys.getenv_opt "OCAMLRUNPARAM") ~default:"" in
  let chosen = List.filter (( <> ) "") (String.split_on_char ',' chosen) in
  let size = ring_size ~domains:(most_domains chosen) 20 in
  "OCAMLRUNPARAM=" ^ String.concat "," (Printf.sprintf "e=%d" size :: chosen)

let listening dir =
  [
    run_parameters ();
    "OCAML_RUNTIME_EVENTS_START=1";
    "OCAML_RUNTIME_EVENTS_DIR=" ^ dir;
    "OCAML_RUNTIME_EVENTS_PRESERVE=1";
  ]

(* This process's, but for [ours]. *)
let environment ours =
  let name binding = List.hd (String.split_on_char '=' binding) in
  let replaced = List.map name ours in
  let kept b = not (List.mem (name b) replaced) in
  Array.of_list (ours @ List.filter kept (Array.to_list (Unix.environment ())))

let with_directory f =
  let dir = Filename.temp_dir "drover" ".events" in
  let remove () =
    (* A process that the program has started may write there still. *)
    try
      Array.iter (fun file -> Sys.remove (Filename.concat dir file)) (Sys.readdir dir);
      Sys.rmdir dir
    with Sys_error _ -> ()
  in
  Fun.protect ~finally:remove (fun () -> f dir)

(* The end of the program cuts a sleep short. *)
let sleep seconds =
  try ignore (Unix.select [] [] [] seconds) with Unix.Unix_error (EINTR, _, _) -> ()

(* Interrupts from the keyboard are the program's: it ends, and then there are figures to show. Their
   handler does nothing; unlike an ignored signal, a handled one has its usual meaning in the program.
   What would end this process is passed on to the program, at the next look, unless it is ignored, as
   behind nohup. *)
let to_pass_on = ref None

let with_signals f =
  let handle behaviour signal = (signal, Sys.signal signal (Signal_handle behaviour)) in
  let restore (signal, behaviour) = Sys.set_signal signal behaviour in
  to_pass_on := None;
  let ends =
    List.map (handle (fun signal -> to_pass_on := Some signal)) [ Sys.sigterm; Sys.sighup ]
  in
  List.iter
    (fun (signal, before) -> if before = Sys.Signal_ignore then Sys.set_signal signal before)
    ends;
  let before = List.map (handle ignore) [ Sys.sigint; Sys.sigchld ] @ ends in
  Fun.protect ~finally:(fun () -> List.iter restore before) f

(* Whether it has ended. *)
let look_at pid =
  Option.iter (Unix.kill pid) !to_pass_on;
  to_pass_on := None;
  match Unix.waitpid [ WNOHANG ] pid with
  | 0, _ -> None
  | _, status -> Some status
  | exception Unix.Unix_error (EINTR, _, _) -> None

let now () = Int64.to_int Runtime_events.Timestamp.(to_int64 (get_current ()))

(* A program that is watched, and what was heard of it. *)
type t = {
  pid : int;
  dir : string;
  file : Ring_file.t;
  listen : Event.listener;
  on_lost : int -> unit;
  mutable heard : int; (* the time of the latest event *)
  mutable lost_words : int;
  mutable says_drover : bool; (* any event was Drover's *)
  mutable stops : bool; (* its runtime has said that it ends *)
  mutable becomes : int; (* how often it became another program *)
  mutable ended : (Unix.process_status * int) option; (* and when *)
}

let hear t ~ring ~at (event : Event.t) =
  t.heard <- Int.max t.heard at;
  match event with
  | Program_ends -> t.stops <- true
  | Program_begins | Begin _ | End _ -> t.listen ~ring ~at event
  | _ ->
      t.says_drover <- true;
      t.listen ~ring ~at event

let lose t ~ring words =
  t.on_lost ring;
  t.lost_words <- t.lost_words + words

let callbacks t = Event.callbacks (hear t) ~lost:(lose t)

let look_for_end t =
  if t.ended = None then t.ended <- Option.map (fun status -> (status, now ())) (look_at t.pid)

(* [None] if the program has ended before it has written any. *)
let rec open_cursor t =
  look_for_end t;
  let cursor =
    if not (Ring_file.is_complete t.file) then None
    else begin
      sleep 0.001;
      try Some (Runtime_events.create_cursor (Some (t.dir, t.pid))) with Failure _ -> None
    end
  in
  if cursor <> None || t.ended <> None then cursor
  else begin
    sleep 0.0005;
    open_cursor t
  end

(* Seconds between two looks. *)
let calm = 0.02
let hasty = 0.002
let many_events = 10_000

(* Reads until the program has ended, and then what is left; or until the file is begun anew. *)
let rec follow t cursor before =
  let file = Ring_file.state t.file in
  if not (Ring_file.is_continued ~before file) then become t cursor
  else
    let has_ended = t.ended <> None in
    match Runtime_events.read_poll cursor (callbacks t) None with
    | read ->
        if not has_ended then begin
          sleep (if read > many_events then hasty else calm);
          look_for_end t
        end;
        if read > 0 || not has_ended then follow t cursor file
    (* It was begun anew meanwhile. *)
    | exception Failure _ -> become t cursor

and become t cursor =
  Runtime_events.free_cursor cursor;
  t.listen ~ring:0 ~at:t.heard Program_ends;
  t.stops <- false;
  t.becomes <- t.becomes + 1;
  let before = Ring_file.state t.file in
  Option.iter (fun cursor -> follow t cursor before) (open_cursor t)

(* Whether the program was there to write events until its end. An exception that nobody handles ends it
   past its runtime, with that code, and so do signals. *)
let is_seen t : Unix.process_status -> bool = function
  | WEXITED 2 | WSIGNALED _ | WSTOPPED _ -> true
  | WEXITED _ -> t.stops

(* What is open is over then. *)
let finish t status ~at =
  let until = if is_seen t status && not t.stops then at else t.heard in
  t.listen ~ring:0 ~at:until Program_ends;
  if is_seen t status then 0. else float (at - until) *. 1e-9

let spawn ?(stdout = Unix.stdout) ?(stderr = Unix.stderr) (program : Program.t) bindings =
  let argv = Array.of_list (program.path :: program.args) in
  Unix.create_process_env program.path argv (environment bindings) Unix.stdin stdout stderr

let ending : Unix.process_status -> string = function
  | WEXITED 0 -> ""
  | WEXITED code -> Printf.sprintf " It ended with exit code %d." code
  | WSIGNALED signal | WSTOPPED signal ->
      Printf.sprintf " It was ended by %s." (Sys.signal_to_string signal)

let no_events (program : Program.t) status =
  program.path
  ^ ": it wrote no runtime events, so it is not an OCaml 5 program. If it starts one, name that \
     one." ^ ending status

let start dir ~bindings ?stdout program ~on_lost listen =
  let pid = spawn ?stdout program (bindings @ listening dir) in
  {
    pid;
    dir;
    file = Ring_file.make ~dir pid;
    listen;
    on_lost;
    heard = 0;
    lost_words = 0;
    says_drover = false;
    stops = false;
    becomes = 0;
    ended = None;
  }

let watch dir ~bindings ?stdout (program : Program.t) ~on_lost listen =
  let start_time = now () and before = Unix.times () in
  let machine = Drover_show.Contention.start () in
  let t = start dir ~bindings ?stdout program ~on_lost listen in
  let cursor = open_cursor t in
  Option.iter (fun cursor -> follow t cursor (Ring_file.state t.file)) cursor;
  let status, at = Option.get t.ended and after = Unix.times () in
  if Option.is_none cursor then Error (no_events program status)
  else
    let cpu = after.tms_cutime +. after.tms_cstime -. before.tms_cutime -. before.tms_cstime in
    Ok
      {
        status;
        seconds = float (at - start_time) *. 1e-9;
        cpu;
        idle = Drover_show.Contention.idle machine;
        lost = t.lost_words;
        hears_drover = t.says_drover;
        execs = t.becomes;
        unseen = finish t status ~at;
      }

let or_error (program : Program.t) f =
  try with_signals f with
  | Unix.Unix_error (error, _, _) ->
      Error (Printf.sprintf "%s: %s" program.path (Unix.error_message error))
  | Sys_error why -> Error why

let run ?(bindings = []) ?stdout program ~on_lost listen =
  or_error program (fun () ->
      with_directory (fun dir -> watch dir ~bindings ?stdout program ~on_lost listen))

let rec wait pid =
  match look_at pid with
  | Some status -> status
  | None ->
      sleep calm;
      wait pid

let run_for_file ?(bindings = []) ?stdout program ~variable read =
  or_error program (fun () ->
      with_directory (fun dir ->
          let file = Filename.concat dir "result" in
          let status = wait (spawn ?stdout program ((variable ^ "=" ^ file) :: bindings)) in
          Ok (status, if Sys.file_exists file then In_channel.with_open_bin file read else None)))

(* How long to sleep between two looks at a program that has run for [seconds]. *)
let pause seconds = Float.min calm (Float.max 0.001 (0.01 *. seconds))

let run_timed ~bindings ~stdout ~stderr (program : Program.t) ~on_look =
  let start = now () in
  let seconds () = float (now () - start) *. 1e-9 in
  let pid = spawn ~stdout ~stderr program bindings in
  let rec follow () =
    on_look pid;
    match Unix.waitpid [ WNOHANG ] pid with
    | 0, _ ->
        sleep (pause (seconds ()));
        follow ()
    | _, status -> (status, seconds ())
    | exception Unix.Unix_error (EINTR, _, _) -> follow ()
  in
  let sigchld = Sys.signal Sys.sigchld (Signal_handle ignore) in
  try Fun.protect follow ~finally:(fun () -> Sys.set_signal Sys.sigchld sigchld)
  with e ->
    Unix.kill pid Sys.sigterm;
    raise e

let code_of_status = function
  | Unix.WEXITED code -> code
  | WSIGNALED signal | WSTOPPED signal -> 128 + Int.max 0 (Sys.signal_to_int signal)

let exit_code outcome = code_of_status outcome.status

let remarks outcome =
  (match outcome.status with
    | WSIGNALED signal ->
        [ Printf.sprintf "The program was ended by %s." (Sys.signal_to_string signal) ]
    | WEXITED _ | WSTOPPED _ -> [])
  @ (if outcome.execs > 0 then
       [
         "The program replaced itself by another (exec): the figures include both, except for some \
          milliseconds before that.";
       ]
     else [])
  @
  if outcome.unseen > 0. then
    [
      Printf.sprintf
        "Nothing is known about the last %s: the program ended by Unix._exit, or replaced itself \
         by one that writes no events (exec)."
        (Drover_show.Show.seconds outcome.unseen);
    ]
  else []

type lack = Nothing | Taken | Asleep

(* A fifth of a second is enough for the clock of processor time, which ticks. *)
let lack outcome ~busy ~unserved =
  let missing = busy -. outcome.cpu in
  if busy < 0.2 || missing < 0.25 *. busy then Nothing
  else if unserved > 0.5 *. missing then Taken
  else
    match outcome.idle with
    | Some idle when idle > 0.5 *. missing -> Asleep
    | Some _ | None -> Taken
