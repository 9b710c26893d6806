(* The program tells the watchdog through a pipe what it begins and what it ends; the end of the pipe
   ends the watchdog.

   Watching [] --Begin g--> Watching [g; ...] --End--> Watching [...]
   Watching gs, where the time of one is up --> the program is killed, with what it has started:

   1. The program gets SIGABRT, and then the others do. The handler of a test program reports what that
      is at, and stops it.
   2. Of those that do not stop in time, as no thread comes to run the handler, the watchdog reports what
      the system knows of their threads.
   3. What all have printed may go to files, such as Alcotest's: the watchdog prints these.

   The program is killed last, as who has started it may read the report when it has ended.

   Drover does not care whether SIGABRT has a handler (see [Signals]), so none of its ways change. *)

type guard = { what : string; deadline : float }
type message = Begin of guard | End

(* In seconds, whatever becomes of the computer's date; one clock for all processes. *)
let now () = Int64.to_float Runtime_events.Timestamp.(to_int64 (get_current ())) *. 1e-9

(* The watchdog's process *)

let really_read fd n =
  let bytes = Bytes.create n in
  let rec fill from =
    if from < n then
      match Unix.read fd bytes from (n - from) with 0 -> raise End_of_file | k -> fill (from + k)
  in
  fill 0;
  bytes

let receive fd : message =
  let header = really_read fd Marshal.header_size in
  let data = really_read fd (Marshal.data_size header 0) in
  Marshal.from_bytes (Bytes.cat header data) 0

type file = { device : int; inode : int; channel : in_channel }

let file_of_errors process =
  let path = Printf.sprintf "/proc/%d/fd/2" process in
  match Unix.stat path with
  | { st_kind = S_REG; st_dev = device; st_ino = inode; _ } ->
      Some { device; inode; channel = open_in_bin path }
  | _ -> None
  | exception (Unix.Unix_error _ | Sys_error _) -> None

(* But for the one to which our own go. *)
let files_of_errors processes =
  let is_other { device; inode; _ } =
    let ours = Unix.fstat Unix.stderr in
    (device, inode) <> (ours.st_dev, ours.st_ino)
  and order a b = compare (a.device, a.inode) (b.device, b.inode) in
  List.sort_uniq order (List.filter is_other (List.filter_map file_of_errors processes))

let send s process = try Unix.kill process s with Unix.Unix_error _ -> ()

let rec await_stops processes ~until =
  match List.filter Processes.goes_on processes with
  | _ :: _ as others when now () < until ->
      Unix.sleepf 0.01;
      await_stops others ~until
  | others -> others

let patience = 10. (* seconds, for reports *)

let stop processes =
  List.iter (send Sys.sigabrt) processes;
  let stuck = await_stops processes ~until:(now () +. patience) in
  let report_for process =
    let threads = String.concat "\n" (Processes.threads process) in
    Printf.eprintf "process %d cannot report:\n%s\n" process threads
  in
  List.iter report_for stuck;
  List.iter (send Sys.sigstop) stuck

let end_program program guards =
  List.iter (fun g -> Printf.eprintf "\nwatchdog: no end of: %s\n%!" g.what) guards;
  let is_other process = process <> program && process <> Unix.getpid () in
  let others = List.filter is_other (Processes.below program) in
  let files = files_of_errors (program :: others) in
  stop [ program ];
  stop others;
  List.iter (fun { channel; _ } -> prerr_string (In_channel.input_all channel)) files;
  flush stderr;
  List.iter (send Sys.sigkill) (others @ [ program ])

let rec watch program messages guards =
  let patience =
    match guards with
    | [] -> -1.0 (* for ever *)
    | _ :: _ ->
        let first = List.fold_left (fun t g -> Float.min t g.deadline) infinity guards in
        Float.max 0.0 (first -. now ())
  in
  match Unix.select [ messages ] [] [] patience with
  | [], _, _ -> end_program program guards
  | _ -> (
      match receive messages with
      | Begin g -> watch program messages (g :: guards)
      | End -> watch program messages (List.tl guards)
      | exception End_of_file -> ())

let report =
  let program = Unix.getpid () in
  let messages, told = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 ->
      Unix.close told;
      watch program messages [];
      Unix._exit 0
  | _ ->
      Unix.close messages;
      Unix.out_channel_of_descr told

(* The program *)

(* Not by a channel, at which the thread may have been interrupted. *)
let say text =
  let text = text ^ "\n" in
  ignore (Unix.write_substring Unix.stderr text 0 (String.length text) : int)

let () =
  let tell_all = Drover_bridge.reporter () in
  let report_and_stop _ =
    let place = Printexc.raw_backtrace_to_string (Printexc.get_callstack 64) in
    say (Printf.sprintf "the program hangs: thread %d is at\n%s" (Thread.id (Thread.self ())) place);
    tell_all say;
    Unix.kill (Unix.getpid ()) Sys.sigstop
  in
  Sys.set_signal Sys.sigabrt (Signal_handle report_and_stop)

let tell (message : message) =
  Marshal.to_channel report message [];
  flush report

let guard ?(seconds = 60.) what f =
  tell (Begin { what; deadline = now () +. seconds });
  Fun.protect f ~finally:(fun () -> tell End)

let case ?seconds name f = Alcotest.test_case name `Quick (fun () -> guard ?seconds name f)

let property ?seconds ?count ~name ~print gen law =
  QCheck2.Test.make ?count ~name ~print gen (fun x ->
      guard ?seconds (name ^ ": " ^ print x) (fun () -> law x))
