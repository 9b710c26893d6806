open Cmdliner
open Drover_watch
open Drover_stat

let pid =
  let doc = "The running process to look at." in
  Arg.(required & pos 0 (some int) None & info [] ~docv:"PID" ~doc)

let is_debugged pid =
  match Process.variable pid "DROVER_DEBUG" with
  | Some value -> List.mem value [ "1"; "true"; "exit" ]
  | None -> false

let no_task = "No worker has a task: all tasks wait, or there are none."

(* What the events tell: as of a second, since once in a second others say where those are who have said nothing for
   long. *)
let from_events pid ~remark =
  let live = Live.create pid and latest = ref None in
  let on_look whereabouts ~at outcome =
    let is_time = Live.seconds_since live outcome >= 1.1 in
    if is_time then latest := Some (Live.cut live whereabouts ~at outcome);
    not is_time
  in
  match (Attached.watch ~pid (Live.listen live) ~on_look, !latest) with
  | (Error _ as error), _ -> error
  | Ok _, None -> Error (Printf.sprintf "process %d has ended" pid)
  | Ok { hears_drover = false; _ }, _ ->
      Error
        (Printf.sprintf
           "process %d has told nothing of Drover: it does not use it, has no pool, or has told \
            nothing for long"
           pid)
  | Ok _, Some block ->
      Live.pp live Fmt.stdout block;
      let asleep = if Advice.sleeps block.figures then [ no_task ] else [] in
      Drover_show.Summary.advice Fmt.stdout (asleep @ [ remark ]);
      Ok ()

let print pid text =
  Drover_show.Summary.title Fmt.stdout (Process.name pid);
  Fmt.flush Fmt.stdout ();
  print_string text;
  flush stdout

let without_debug =
  "This is what the program's events tell. With DROVER_DEBUG=1 it would also say what each task \
   waits for and since when, which task holds a mutex, and where in the source the tasks are that \
   run. To start a task and to wait costs several times as much then, a fork or an iteration the \
   same."

let unanswered pid =
  Printf.sprintf
    "process %d has DROVER_DEBUG, but did not answer within %.0f s: it does not use Drover, has \
     opened no pool yet, or cannot run"
    pid Inquiry.limit

let nothing_to_see pid =
  Printf.sprintf
    "process %d tells nothing of its tasks. Start it with DROVER_DEBUG=1, or at least with \
     OCAML_RUNTIME_EVENTS_START=1"
    pid

let from_program pid =
  match Inquiry.ask pid with
  | Whole text ->
      print pid text;
      Ok ()
  | Part text ->
      print pid text;
      Error
        (Printf.sprintf
           "the rest did not come within %.0f s: where tasks are they only say at a collection, \
            for which a domain is too busy"
           Inquiry.limit)
  | Ended -> Error (Printf.sprintf "process %d has ended" pid)
  | None_came -> (
      let remark = unanswered pid in
      match from_events pid ~remark with Ok () -> Ok () | Error _ -> Error remark)
  | No_way why -> Error why

let look pid =
  if is_debugged pid then from_program pid
  else
    match Attached.check ~pid with
    | Ok () -> from_events pid ~remark:without_debug
    | Error _ -> Error (nothing_to_see pid)

let where pid =
  match Result.bind (Process.check pid) (fun () -> look pid) with
  | Ok () -> Cmd.Exit.ok
  | Error why -> Watched.fails Watched.unwatchable why
  | exception Sys.Break -> 130

let main = Term.(const where $ pid)

let man =
  [
    `S Manpage.s_description;
    `P
      "Shows where a running program that uses Drover stands, and lets it go on. A program that \
       was started with $(b,DROVER_DEBUG=1) says for each worker whether it has a task, and for \
       how long without a fork, a loop or a wait; for each task that waits, for what, since when, \
       where in the source, and which task holds the mutex; and where the tasks are that run.";
    `P
      "Of one that was started with $(b,OCAML_RUNTIME_EVENTS_START=1) only, it shows what \
       $(b,drover top) shows in one second: for each worker, whether it has a task, and since \
       when.";
    `P
      "It takes a second or two, and ten at most if the program does not answer. What is not known \
       by then, the command says.";
    `S Manpage.s_examples;
    `Pre "drover where 4711";
  ]

let cmd =
  let doc = "show what the tasks of a running program wait for, and where they are" in
  Cmd.v (Cmd.info "where" ~doc ~exits:Watched.exits_of_running ~man) main
