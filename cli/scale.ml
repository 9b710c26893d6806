open Cmdliner
open Drover_watch
open Drover_scale

let html =
  let doc = "Write tables and a plot to $(docv), as a web page that needs nothing else." in
  Arg.(value & opt (some filepath) None & info [ "html" ] ~docv:"FILE" ~doc)

let calibrate =
  let doc =
    "Run the program some more times, on one core and on all that there are, to measure what cores \
     do to each other here: memory and caches that they share, and collections. Two such runs, and \
     more within five seconds; only the first run of all writes on standard output, and standard \
     input is read again if it is a file."
  in
  Arg.(value & flag & info [ "calibrate" ] ~doc)

let runs =
  let doc =
    "Measure $(docv) runs: the bounds are those of all of them, the rest is of the one with the \
     median span. Only the first run of all writes on standard output, and standard input is read \
     again if it is a file."
  in
  Arg.(value & opt int 1 & info [ "runs" ] ~docv:"N" ~doc)

let one_core = "There is one core only, so that nothing could be measured on several."

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

let scale json html calibrate runs program =
  let open Result.Syntax in
  let rewind = Trial.rewind () in
  let* ({ status; seconds; scalability } : Measured.t) = Measured.run program in
  let* others = again (runs - 1) program ~rewind in
  let+ here = find_here program ~rewind calibrate in
  let name = Fmt.str "@[<h>%a@]" Program.pp program in
  let r = Scaling.make ~program:name ~seconds ?here (scalability :: others) in
  Print.pp Fmt.stderr r;
  save r ~json ~html;
  Watch.code_of_status status

let main =
  let open Term.Syntax in
  let+ json = Watched.json and+ html and+ calibrate and+ runs and+ words = Watched.words in
  let files = Option.to_list json @ Option.to_list html in
  Watched.run words ~files (scale json html calibrate runs)

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs a program that uses Drover on one core, and then prints on standard error how much \
       faster it could be on more. All its pools have one worker; the time between forks, joins \
       and waits is measured. The program needs no preparation. It takes a microsecond or two more \
       for each fork, which the figures leave out.";
    `P
      "The $(b,work) is what one core does, the $(b,span) the longest chain of steps of which each \
       needs the one before. Their quotient, the $(b,parallelism), bounds the speed-up on any \
       number of cores. The burdened parallelism takes a steal for every fork on the chain into \
       account, as the Cilkview analyzer does. $(b,serial) is the part of the work that is in no \
       fork, loop or task.";
    `P
      "For each number of cores the table says what the speed-up is $(b,at least), if every fork \
       is a steal; $(b,likely), with a scheduler that never lets a core rest in vain; and $(b,at \
       most). In the bars, whose axis doubles every four columns, these are $(b,#), $(b,+) and \
       $(b,.). What is predicted has two digits, as no more are known. With $(b,--runs) the bounds \
       are the widest of several runs. The last table has the places in the program that fork, \
       with their part of the span: what is on top there is to be divided first.";
    `P
      "Not seen in that run are waits for locks that are free on one core, memory and caches that \
       cores share, and collections that have to wait for every core. With $(b,--calibrate) the \
       program runs some more times, as it is, on one core and on all that there are. The \
       $(b,inflation) is how much longer its tasks take, all together, when cores work beside each \
       other; it says nothing of cores that rest. The predictions are then those of a program \
       whose forks, loops and tasks take that much longer: $(b,likely) with the inflation that was \
       measured, $(b,at least) with one that goes on to grow with each core. The column \
       $(b,structure) structure) has what is likely without inflation, and $(b,measured) is the \
       real speed-up, which no prediction uses: so it tells what they are worth.";
    `S Manpage.s_examples;
    `Pre "drover scale ./solver.exe --size 9";
    `Pre "drover scale --runs 5 ./solver.exe --size 9";
    `Pre "drover scale --calibrate ./solver.exe --size 9 < problem";
    `Pre "drover scale --html scale.html -- _build/default/bin/main.exe";
    `S Manpage.s_environment;
    `P "$(b,NO_COLOR), if set, turns colours off; they are off anyway if not on a terminal.";
    `P
      "$(b,DROVER_SCALE) names, for the program, the file that it writes when it ends, and \
       $(b,DROVER_SCALE_WORKERS) how many workers all of its pools have; 0 is one for each core.";
  ]

let takes_value = [ "--json"; "--html"; "--runs" ]

let cmd =
  let doc = "run a program and tell how far it could scale" in
  Cmd.v (Cmd.info "scale" ~doc ~exits:Watched.exits ~man) main
