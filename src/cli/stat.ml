open Cmdliner
open Drover_watch
open Drover_stat
open Drover_tune

let command =
  let words text = List.filter (( <> ) "") (String.split_on_char ' ' text) in
  let parse text = Result.map (fun p -> Compare.Command p) (Program.make (words text)) in
  let pp ppf = function
    | Compare.One_domain -> Fmt.string ppf "one domain"
    | Command program -> Program.pp ppf program
  in
  Arg.Conv.make ~docv:"COMMAND" ~parser:parse ~pp ()

let compare_ =
  let doc =
    "Then run the program in turns with $(docv), or with itself on one domain, five times each or \
     for about a minute, and show the speed-up, and what each takes."
  in
  let one_domain = Some Compare.One_domain in
  Arg.(value & opt ~vopt:one_domain (some command) None & info [ "compare" ] ~docv:"COMMAND" ~doc)

let comparison (outcome : Watch.outcome) (base, bench) =
  if outcome.status = WEXITED 0 then Compare.run bench base
  else (None, [ "There is no comparison: the program must end with exit code 0." ])

let stat json base (subject : Watched.subject) =
  let account = Account.create () in
  (* Before the program runs, as it notes where standard input is. *)
  let compared =
    match (base, subject.program) with
    | Some base, Some program -> Some (base, Bench.create program)
    | _ -> None
  in
  let show outcome =
    let comparison, remarks = Option.fold compared ~none:(None, []) ~some:(comparison outcome) in
    let name = subject.name in
    let figures = Figures.make ?comparison ~remarks account outcome in
    Drover_stat.Print.pp name Fmt.stderr figures;
    let save file = Watched.save_json file (Drover_stat.Print.to_json name figures) in
    Option.iter save json;
    Watch.exit_code outcome
  in
  subject.watch ~bindings:[ "DROVER_SITES=1" ] ~on_lost:(Account.on_lost account)
    (Account.listen account)
  |> Result.map show

let main =
  let open Term.Syntax in
  let+ json = Watched.json
  and+ compare_
  and+ pid = Watched.pid
  and+ seconds = Watched.seconds
  and+ words = Watched.words in
  if Option.is_some compare_ && Option.is_some pid then
    Watched.fails Cmd.Exit.cli_error "--compare runs a program: it cannot be given with --pid"
  else Watched.run_or_attach words ~pid ~seconds ~files:(Option.to_list json) (stat json compare_)

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs a program that uses Drover, and then prints on standard error what its workers and \
       OCaml's garbage collector did, and advice with its reason. The program needs no \
       preparation.";
    `P
      "$(b,utilisation) is the fraction of the workers' time in which they had a task. $(b,tasks) \
       counts the tasks that were started, by a steal, an async, a loop that gave away a part, or \
       from outside; forks that nobody stole do not count. A task that waits and resumes takes \
       several $(b,turns) of workers. $(b,waiting for processors) is the fraction of the workers' \
       time in which they were ready to run, but other programs had the processors. With \
       $(b,--pid), $(b,unknown) is that of workers that had told nothing for long, until they did. \
       Batches are counted with their operations; for timed objects, $(b,in batches) is the time \
       that their batches ran, and $(b,waiting for batches) the total time that their operations \
       were queued. A pause is at least a microsecond in which a domain collected, or waited for \
       others to collect with it; the latter is shown as $(b,waiting at barriers). Percentages of \
       collecting and waiting at barriers are of the time of all domains.";
    `P
      "Where the program names parts with $(b,Drover.named), a table has their calls: the \
       $(b,total) time and the $(b,longest) call, both with the waits in them; the time \
       $(b,elapsed) in which any call was open; and how many $(b,workers) were at work then, on \
       average, in that part or another.";
    `P
      "The last table has what tasks waited for, such as a lock or a promise, and where: how many \
       $(b,times), for how long in $(b,total), all tasks together, and the $(b,longest) wait. A \
       process that ran before tells the places only if it was started with $(b,DROVER_SITES=1).";
    `P
      "The program writes runtime events, which takes a few percent of its time at most, unless \
       its tasks are tiny. If it writes events faster than they can be read, the figures say how \
       many were lost.";
    `P
      "With $(b,--compare), the program then runs in turns with $(b,DROVER_DOMAINS=1) and as it is \
       run, or with $(b,--compare=COMMAND) beside that command, whose words end at blanks. The \
       $(b,speed-up) is the median of the ratios within a turn, shown with its middle half. A \
       table has the times, collections, allocated words and memory of both. Both must be safe to \
       run several times, and must end with exit code 0. Only the program's very first run writes \
       to standard output; what the others write is compared. Standard input is read again if it \
       is a file. If the program itself chooses how many domains its pools have, it does the same \
       in all runs.";
    `P "Under an MPI launcher, each rank writes its own file, with its number before the extension.";
    `S Manpage.s_examples;
    `Pre "drover stat ./solver.exe --size 9";
    `Pre "drover stat --compare ./solver.exe --size 9";
    `Pre "drover stat --compare='./serial.exe --size 9' ./solver.exe --size 9";
    `Pre "drover stat --pid 4711 --seconds 10";
    `Pre "drover stat --json figures.json -- _build/default/bin/main.exe";
    `S Manpage.s_environment;
    `P
      "$(b,NO_COLOR), if set, turns colours off. They are always off if the output is not a \
       terminal.";
    `P
      "$(b,OCAMLRUNPARAM) is passed on; unless it sets $(b,e), the event buffer of each domain is \
       2^20 words.";
  ]

let takes_value = [ "--json"; "--pid"; "--seconds" ]

let cmd =
  let doc = "run a program and report what its workers and the garbage collector did" in
  Cmd.v (Cmd.info "stat" ~doc ~exits:Watched.exits ~man) main
