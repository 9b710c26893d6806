type outcome = {
  status : Unix.process_status;
  seconds : float;
  cpu : float;
  lost : int;
  hears_drover : bool;
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
    Array.iter (fun file -> Sys.remove (Filename.concat dir file)) (Sys.readdir dir);
    Sys.rmdir dir
  in
  Fun.protect ~finally:remove (fun () -> f dir)

(* The end of the program cuts a sleep short. *)
let sleep seconds =
  try ignore (Unix.select [] [] [] seconds) with Unix.Unix_error (EINTR, _, _) -> ()

(* Interrupts from the keyboard are the program's: it ends, and then there are figures to show. The
   handlers do nothing; unlike an ignored signal, a handled one has its usual meaning in the
   program. *)
let with_signals f =
  let handle signal = (signal, Sys.signal signal (Signal_handle ignore)) in
  let before = List.map handle [ Sys.sigint; Sys.sigchld ] in
  let restore (signal, behaviour) = Sys.set_signal signal behaviour in
  Fun.protect ~finally:(fun () -> List.iter restore before) f

let ended pid =
  match Unix.waitpid [ WNOHANG ] pid with
  | 0, _ -> None
  | _, status -> Some status
  | exception Unix.Unix_error (EINTR, _, _) -> None

(* The file appears when the program's runtime starts; its header, of eight words, is written last
   word last. *)
let header_words = 8

let is_complete file =
  let whole ic =
    In_channel.really_input_string ic (8 * header_words)
    |> Option.map (fun header -> String.get_int64_ne header (8 * (header_words - 1)))
  in
  match In_channel.with_open_bin file whole with
  | Some last -> last <> 0L
  | None | (exception Sys_error _) -> false

let rec open_cursor dir pid =
  let status = ended pid in
  let file = Filename.concat dir (string_of_int pid ^ ".events") in
  let cursor =
    if not (is_complete file) then None
    else begin
      sleep 0.001;
      try Some (Runtime_events.create_cursor (Some (dir, pid))) with Failure _ -> None
    end
  in
  match (cursor, status) with
  | Some cursor, _ -> Ok (cursor, status)
  | None, Some status -> Error status
  | None, None ->
      sleep 0.0005;
      open_cursor dir pid

(* Seconds between two looks. *)
let calm = 0.02
let hasty = 0.002
let many_events = 10_000

let rec follow cursor callbacks pid status =
  let read = Runtime_events.read_poll cursor callbacks None in
  match status with
  | Some status -> if read > 0 then follow cursor callbacks pid (Some status) else status
  | None ->
      sleep (if read > many_events then hasty else calm);
      follow cursor callbacks pid (ended pid)

let spawn ?(stdout = Unix.stdout) (program : Program.t) bindings =
  let argv = Array.of_list (program.path :: program.args) in
  Unix.create_process_env program.path argv (environment bindings) Unix.stdin stdout Unix.stderr

let ending : Unix.process_status -> string = function
  | WEXITED 0 -> ""
  | WEXITED code -> Printf.sprintf " It ended with exit code %d." code
  | WSIGNALED signal | WSTOPPED signal ->
      Printf.sprintf " Signal %d ended it." (Sys.signal_to_int signal)

let no_events (program : Program.t) status =
  program.path
  ^ ": it wrote no runtime events, so it is not an OCaml 5 program. If it starts one, name that \
     one." ^ ending status

let watch dir ~bindings ?stdout (program : Program.t) ~on_lost listen =
  let hears_drover = ref false and lost = ref 0 in
  let listen ~ring ~at (event : Event.t) =
    (match event with Begin _ | End _ -> () | _ -> hears_drover := true);
    listen ~ring ~at event
  in
  let callbacks =
    Event.callbacks listen ~lost:(fun ~ring words ->
        on_lost ring;
        lost := !lost + words)
  in
  let start = Unix.gettimeofday () and before = Unix.times () in
  let pid = spawn ?stdout program (bindings @ listening dir) in
  let outcome status =
    let seconds = Unix.gettimeofday () -. start and after = Unix.times () in
    let cpu = after.tms_cutime +. after.tms_cstime -. before.tms_cutime -. before.tms_cstime in
    { status; seconds; cpu; lost = !lost; hears_drover = !hears_drover }
  in
  match open_cursor dir pid with
  | Error status -> Error (no_events program status)
  | Ok (cursor, status) ->
      let status = follow cursor callbacks pid status in
      Ok (outcome status)

let or_error (program : Program.t) f =
  try with_signals f with
  | Unix.Unix_error (error, _, _) ->
      Error (Printf.sprintf "%s: %s" program.path (Unix.error_message error))
  | Sys_error why -> Error why

let run ?(bindings = []) ?stdout program ~on_lost listen =
  or_error program (fun () ->
      with_directory (fun dir -> watch dir ~bindings ?stdout program ~on_lost listen))

let rec wait pid =
  match Unix.waitpid [] pid with
  | _, status -> status
  | exception Unix.Unix_error (EINTR, _, _) -> wait pid

let run_for_file program ~variable read =
  or_error program (fun () ->
      with_directory (fun dir ->
          let file = Filename.concat dir "result" in
          let status = wait (spawn program [ variable ^ "=" ^ file ]) in
          Ok (status, if Sys.file_exists file then In_channel.with_open_bin file read else None)))

let code_of_status = function
  | Unix.WEXITED code -> code
  | WSIGNALED signal | WSTOPPED signal -> 128 + Int.max 0 (Sys.signal_to_int signal)

let exit_code outcome = code_of_status outcome.status
