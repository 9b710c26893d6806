open Cmdliner
open Drover_show
open Drover_watch
open Drover_stat

let pid =
  let doc =
    "The running process to look at. It must have been started with \
     $(b,OCAML_RUNTIME_EVENTS_START=1)."
  in
  Arg.(required & pos 0 (some int) None & info [] ~docv:"PID" ~doc)

let times =
  let doc = "Show $(docv) blocks, and end." in
  Arg.(value & opt (some int) None & info [ "n" ] ~docv:"N" ~doc)

let once =
  let doc = "Show one block as plain lines, and end: what happened within a second." in
  Arg.(value & flag & info [ "once" ] ~doc)

let period = 1. (* second *)

let is_asked_to_end () =
  match Screen.key () with Some ('q' | 'Q') -> true | Some _ | None -> false

(* Calls [show] each second, as often as the user wants. *)
let watch pid ~times ~is_over show =
  let live = Live.create pid in
  let left = ref times in
  let on_look whereabouts ~at outcome =
    if Live.seconds_since live outcome >= period then begin
      show live (Live.cut live whereabouts ~at outcome);
      decr left
    end;
    !left > 0 && not (is_over ())
  in
  Attached.watch ~pid (Live.listen live) ~on_look

let plain pid ~times =
  let show live block =
    Live.pp live Fmt.stdout block;
    Fmt.flush Fmt.stdout ()
  in
  watch pid ~times ~is_over:(fun () -> false) show

let text live block =
  let buffer = Buffer.create 1024 in
  let ppf = Format.formatter_of_buffer buffer in
  Fmt.set_style_renderer ppf (Fmt.style_renderer Fmt.stdout);
  Live.pp live ppf block;
  Fmt.flush ppf ();
  Buffer.contents buffer

(* The latest block stays when the screen has gone. *)
let on_screen pid ~times =
  let latest = ref "" in
  let use screen =
    let show live block =
      latest := text live block;
      Screen.show screen !latest
    in
    watch pid ~times ~is_over:is_asked_to_end show
  in
  let result = Screen.use use in
  print_string !latest;
  result

let top pid times once =
  let times = if once then 1 else Option.value times ~default:max_int in
  let is_live = (not once) && Unix.isatty Unix.stdout && Sys.getenv_opt "TERM" <> Some "dumb" in
  let is_there = Attached.check ~pid in
  match Result.bind is_there (fun () -> (if is_live then on_screen else plain) pid ~times) with
  | Error why -> Watched.fails Watched.unwatchable why
  | Ok (_ : Watch.outcome) ->
      if not (Process.is_alive pid) then Watched.says (Printf.sprintf "process %d has ended" pid);
      Cmd.Exit.ok

let main = Term.(const top $ pid $ times $ once)

let man =
  [
    `S Manpage.s_description;
    `P
      "Shows each second what a running program that uses Drover does: for each worker, whether it \
       is in a task, since when, and in which part of the program that $(b,Drover.named) names; \
       parked, as there is no work; or stands by, as other programs have the processors. The \
       figures are those of $(b,drover stat), of the last second. $(b,q) or Ctrl-C ends it, and so \
       does the end of the program.";
    `P
      "The program must write runtime events, which takes a few percent of its time at most: start \
       it with $(b,OCAML_RUNTIME_EVENTS_START=1). What a worker did that has told nothing for long \
       may be unknown, until it or another tells it.";
    `P "If standard output is no terminal, there is a block of plain lines each second.";
    `S Manpage.s_examples;
    `Pre "drover top 4711";
    `Pre "drover top -n 60 4711 > minute.txt";
  ]

let cmd =
  let doc = "show live what a running program does" in
  Cmd.v (Cmd.info "top" ~doc ~exits:Watched.exits_of_running ~man) main
