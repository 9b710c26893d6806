(* What the commands share that run a program of the user's. *)

open Cmdliner
open Drover_show
open Drover_watch

let unwatchable = 126
let no_program = 127

let exits =
  [
    Cmd.Exit.info 0 ~max:255
      ~doc:
        "the program's own exit code, or 128 plus the number of the signal that ended it. Except:";
    Cmd.Exit.info Cmd.Exit.cli_error ~doc:"on command line errors.";
    Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on unexpected internal errors (bugs).";
    Cmd.Exit.info unwatchable
      ~doc:"when the program wrote no events, or a result could not be written.";
    Cmd.Exit.info no_program ~doc:"when there is no such program.";
  ]

(* Of those that only look at a program. *)
let exits_of_running =
  [
    Cmd.Exit.info Cmd.Exit.ok ~doc:"when the program was seen.";
    Cmd.Exit.info Cmd.Exit.cli_error ~doc:"on command line errors.";
    Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on unexpected internal errors (bugs).";
    Cmd.Exit.info unwatchable ~doc:"when there is no such process, or it tells nothing.";
  ]

(* Behind a [--] the shell completes what the program understands. *)
let word =
  let complete _ ~token:_ = Ok Arg.Completion.[ files; dirs; restart ] in
  Arg.Conv.of_conv Arg.string ~completion:(Arg.Completion.make complete)

let words =
  let doc = "The program to run, with its arguments. A $(b,--) before it may be left out." in
  Arg.(value & pos_all word [] & info [] ~docv:"PROGRAM" ~doc)

(* Each rank of a job writes a file of its own. *)
let own file = Term.(const (Option.map Rank.own_file) $ file)

let json =
  let doc = "Write the figures to $(docv), as JSON." in
  own Arg.(value & opt (some filepath) None & info [ "json" ] ~docv:"FILE" ~doc)

let save file text = Destination.write file (fun oc -> output_string oc text)
let save_json file figures = save file (Yojson.Safe.pretty_to_string ~std:true figures ^ "\n")
let says why = Fmt.epr "drover: %s@." why

let fails code why =
  says why;
  code

(* Before the program runs: that may take long. *)
let rec check_places = function
  | [] -> Ok ()
  | file :: rest -> Result.bind (Destination.check file) (fun () -> check_places rest)

let pid =
  let doc =
    "Observe the running process $(docv) until it ends, or you interrupt. It must have been \
     started with $(b,OCAML_RUNTIME_EVENTS_START=1)."
  in
  Arg.(value & opt (some int) None & info [ "pid" ] ~docv:"PID" ~doc)

let seconds =
  let doc = "With $(b,--pid): stop after $(docv) seconds." in
  Arg.(value & opt (some float) None & info [ "seconds" ] ~docv:"N" ~doc)

let with_files files f =
  match check_places files with
  | Error why -> fails unwatchable why
  | Ok () -> (
      match f () with
      | Ok code -> code
      | Error why -> fails unwatchable why
      | exception Sys_error why -> fails unwatchable why)

(* [run words ~files f] is [f program], if the user's words and files are of use. *)
let run words ~files f =
  match Program.make words with
  | Error why -> fails no_program why
  | Ok program -> with_files files (fun () -> f program)

type subject = {
  name : string;
  program : Program.t option; (* that is to run *)
  watch :
    bindings:string list (* of a program that is to run *) ->
    on_lost:(int -> unit) ->
    Event.listener ->
    (Watch.outcome, string) result;
}

(* A program to run, or one that runs. *)
let run_or_attach words ~pid ~seconds ~files f =
  match (pid, words) with
  | Some _, _ :: _ -> fails Cmd.Exit.cli_error "give either --pid or a program, not both"
  | Some pid, [] ->
      let watch ~bindings:_ ~on_lost:_ listen = Attached.run ~pid ~seconds listen in
      with_files files (fun () -> f { name = Process.name pid; program = None; watch })
  | None, _ ->
      run words ~files (fun program ->
          let watch ~bindings ~on_lost listen = Watch.run ~bindings program ~on_lost listen in
          f { name = Fmt.str "@[<h>%a@]" Program.pp program; program = Some program; watch })
