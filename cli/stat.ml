open Cmdliner
open Drover_watch
open Drover_stat

let stat json (subject : Watched.subject) =
  let account = Account.create () in
  let show outcome =
    let figures = Figures.make account outcome in
    let name = subject.name in
    Print.pp name Fmt.stderr figures;
    Option.iter (fun file -> Watched.save_json file (Print.to_json name figures)) json;
    Watch.exit_code outcome
  in
  subject.watch ~on_lost:(Account.on_lost account) (Account.listen account) |> Result.map show

let main =
  let open Term.Syntax in
  let+ json = Watched.json
  and+ pid = Watched.pid
  and+ seconds = Watched.seconds
  and+ words = Watched.words in
  Watched.run_or_attach words ~pid ~seconds ~files:(Option.to_list json) (stat json)

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
       several $(b,turns) of workers. $(b,waiting for processors) is the fraction of the time in \
       which workers were ready to run, but other programs had the processors. Batches are counted \
       with their operations; for timed objects, $(b,in batches) is the time that their batches \
       ran, and $(b,waiting for batches) the total time that their operations were queued. A pause \
       is at least a microsecond in which a domain collected, or waited for others to collect with \
       it; the latter is shown as $(b,waiting at barriers). Percentages of collecting and waiting \
       at barriers are of the time of all domains.";
    `P
      "The program writes runtime events, which takes a few percent of its time at most. If it \
       writes events faster than they can be read, the figures say how many were lost.";
    `P "Under an MPI launcher, each rank writes its own file, with its number before the extension.";
    `S Manpage.s_examples;
    `Pre "drover stat ./solver.exe --size 9";
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
