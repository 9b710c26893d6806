open Cmdliner
open Drover_watch
open Drover_scale

let html =
  let doc = "Write tables and a plot to $(docv), as a self-contained web page." in
  Arg.(value & opt (some filepath) None & info [ "html" ] ~docv:"FILE" ~doc)

let calibrate =
  let doc =
    "Run the program several more times, on one core and on all cores, to measure how cores slow \
     each other down on this machine, through shared memory and caches, and through collections. \
     There are two such runs, and more if they fit into five seconds. Only the very first run \
     writes to standard output. Standard input is read again if it is a file."
  in
  Arg.(value & flag & info [ "calibrate" ] ~doc)

let runs =
  let doc =
    "Measure $(docv) runs: the bounds are the widest of all runs, and the other figures are from \
     the run with the median span. Only the first run writes to standard output. Standard input is \
     read again if it is a file."
  in
  Arg.(value & opt int 1 & info [ "runs" ] ~docv:"N" ~doc)

let machine =
  let doc =
    "Record the run, and run the recording on a simulated machine, with Drover's own scheduler: \
     $(docv) is $(b,laptop) (4 fast processors and 4 slow ones), $(b,server) (one socket of up to \
     64), $(b,two_sockets) (of 64 each) or $(b,virtual) (a virtual machine as those on which \
     Drover is developed)."
  in
  let machines = List.map (fun (m : Machine.t) -> (m.name, m)) Machine.all in
  Arg.(value & opt (some (enum machines)) None & info [ "simulate" ] ~docv:"MACHINE" ~doc)

let workers =
  let doc =
    "With $(b,--simulate): how many workers there are, several numbers with commas between them \
     (default: 2, 4, 8 and so on up to the processors of the machine)."
  in
  Arg.(value & opt (some (list int)) None & info [ "workers" ] ~docv:"N,..." ~doc)

let one_core = "There is only one core, so nothing could be measured on several."

let find_here program ~rewind calibrate =
  if not calibrate then Ok None
  else
    Here.measure program ~rewind
    |> Result.map (fun here ->
        if here = None then Watched.says one_core;
        here)

let save (r : Scaling.t) ~json ~html =
  Option.iter (fun file -> Watched.save_json file (Print.to_json r)) json;
  Option.iter (fun file -> Watched.save file (Page.to_html r)) html;
  List.iter
    (fun file -> Watched.says ("the figures are in " ^ file))
    (Option.to_list json @ Option.to_list html)

(* What [n] more runs have measured. *)
let rec again n program ~rewind =
  if n <= 0 then Ok []
  else
    let open Result.Syntax in
    let* ({ scalability; _ } : Measured.t) =
      rewind ();
      Trial.with_no_output (fun stdout -> Measured.run ~stdout program)
    in
    let+ others = again (n - 1) program ~rewind in
    scalability :: others

let simulate machine ~workers ({ scalability; recorded; _ } : Measured.t) =
  match (machine, recorded) with
  | Some machine, Some recorded -> (
      let progress = Drover_show.Progress.on_terminal () in
      Drover_show.Progress.begins progress (Simulated.count ~workers);
      let report workers =
        Drover_show.Progress.next progress;
        Drover_show.Progress.report progress (Printf.sprintf "%d workers" workers)
      in
      match Simulated.make ~report machine ~workers scalability recorded with
      | simulated ->
          Drover_show.Progress.clear progress;
          Ok (Some simulated)
      | exception Failure why -> Error ("the simulation has failed: " ^ why))
  | _ -> Ok None

let scale json html calibrate runs machine ~workers program =
  let open Result.Syntax in
  let rewind = Trial.rewind () in
  let* first = Measured.run ~records:(machine <> None) program in
  let* others = again (runs - 1) program ~rewind in
  let* here = find_here program ~rewind calibrate in
  let+ simulated = simulate machine ~workers first in
  let ({ status; seconds; scalability; _ } : Measured.t) = first in
  let name = Fmt.str "@[<h>%a@]" Program.pp program in
  let r = Scaling.make ~program:name ~seconds ?here ?simulated (scalability :: others) in
  Print.pp Fmt.stderr r;
  save r ~json ~html;
  Watch.code_of_status status

let main =
  let open Term.Syntax in
  let+ json = Watched.json
  and+ html
  and+ calibrate
  and+ runs
  and+ machine
  and+ workers
  and+ words = Watched.words in
  let usual = Option.fold machine ~none:[] ~some:Machine.usual_workers in
  let workers = Option.value workers ~default:usual in
  let files = Option.to_list json @ Option.to_list html in
  match Option.fold machine ~none:(Ok ()) ~some:(Machine.check ~workers) with
  | Error why -> Watched.fails Cmd.Exit.cli_error why
  | Ok () -> Watched.run words ~files (scale json html calibrate runs machine ~workers)

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs a program that uses Drover on one core, and then prints on standard error how much \
       faster it could be on more. All its pools have one worker, and the time between forks, \
       joins and waits is measured. The program needs no preparation. Each fork takes a \
       microsecond or two longer, and each iteration some ten nanoseconds, which the figures leave \
       out; if that is more than a tenth of the work, the command says how much it is.";
    `P
      "The $(b,work) is the time that one core takes, and the $(b,span) that of the longest chain \
       of steps that depend on each other. Their quotient, the $(b,parallelism), limits the \
       speed-up on any number of cores. The burdened parallelism adds a steal for every fork on \
       the chain, as the Cilkview analyzer does. $(b,serial) is the fraction of the work that is \
       in no fork, loop or task; the table of places shows what of it is before the first of them, \
       between, and after the last.";
    `P
      "For each number of cores, the table shows the speed-up $(b,at least), if every fork is a \
       steal; $(b,likely), with a greedy scheduler, which never leaves a core idle while there is \
       work; and $(b,at most). In the bars, whose axis doubles every four columns, these are \
       $(b,#), $(b,+) and $(b,.). Predictions have two digits, because no more are known. With \
       $(b,--runs), the bounds are the widest of several runs. The last table lists the places in \
       the program that fork, with their share of the span: parallelise the topmost first.";
    `P
      "A run on one core does not show waits for locks, shared memory and caches, or collections \
       that wait for every core. With $(b,--calibrate), the program runs several more times, \
       unchanged, on one core and on all cores. The $(b,inflation) is the factor by which its \
       tasks take longer, all together, when several cores work; idle cores do not count. The \
       predictions then assume that forks, loops and tasks take longer by this factor: $(b,likely) \
       uses the measured inflation, and $(b,at least) assumes that it keeps growing with each \
       core. The column $(b,structure) is the likely speed-up without inflation. $(b,measured) is \
       the real speed-up, which no prediction uses: compare it to judge the predictions.";
    `P
      "With $(b,--simulate), the command also records the forks, loops, tasks and waits of the \
       run, how long the code between them takes and how much it allocates. Then Drover's own \
       scheduler runs the recording on processors that are simulated, in virtual time: with \
       wake-ups, steals, cache lines that go from one processor to another, and collections that \
       stop all domains, which the bounds leave out. What such a machine takes for these is known \
       from measurements of others; $(b,low) is the speed-up, over one worker, with the high \
       estimates, and $(b,high) with the low ones, each the median of three runs. $(b,likely) and \
       $(b,at most) are the bounds of the recorded run.";
    `S Manpage.s_examples;
    `Pre "drover scale ./solver.exe --size 9";
    `Pre "drover scale --runs 5 ./solver.exe --size 9";
    `Pre "drover scale --calibrate ./solver.exe --size 9 < problem";
    `Pre "drover scale --simulate server --workers 16,64 ./solver.exe --size 9";
    `Pre "drover scale --html scale.html -- _build/default/bin/main.exe";
    `S Manpage.s_environment;
    `P
      "$(b,NO_COLOR), if set, turns colours off. They are always off if the output is not a \
       terminal.";
    `P
      "The command sets three variables for the program: $(b,DROVER_SCALE) is the file that the \
       program writes when it ends, $(b,DROVER_SCALE_RECORDS) is there if that is to have a \
       recording, and $(b,DROVER_SCALE_WORKERS) is the number of workers of all its pools, where 0 \
       means one for each core.";
  ]

let takes_value = [ "--json"; "--html"; "--runs"; "--simulate"; "--workers" ]

let cmd =
  let doc = "run a program and predict how far it could scale" in
  Cmd.v (Cmd.info "scale" ~doc ~exits:Watched.exits ~man) main
