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
       OCaml's collector did, and advice with the reason for it. The program needs no preparation.";
    `P
      "$(b,utilisation) is the part of the workers' time in which they had a task; $(b,tasks) \
       counts what was started, by a steal, an async, a loop that gave away a part, or from \
       outside: forks that nobody stole are none. A task that waits and goes on takes several \
       $(b,turns) of workers. Batches are counted with the operations in them, and $(b,in batches) \
       is the time of those whose objects are timed, $(b,waiting for batches) the time that their \
       operations were queued, in all. A pause is a stretch of at least a microsecond that a \
       domain spent collecting, or waiting for others to collect with it; the time of the latter \
       is shown as $(b,waiting at barriers). Shares are of the time of all domains.";
    `P
      "The program writes runtime events, which takes a few percent of its time at most. If it \
       writes faster than they are read, the figures say how much was lost.";
    `P
      "Under a launcher of MPI each rank writes a file of its own, with its number before the \
       extension.";
    `S Manpage.s_examples;
    `Pre "drover stat ./solver.exe --size 9";
    `Pre "drover stat --pid 4711 --seconds 10";
    `Pre "drover stat --json figures.json -- _build/default/bin/main.exe";
    `S Manpage.s_environment;
    `P "$(b,NO_COLOR), if set, turns colours off; they are off anyway if not on a terminal.";
    `P
      "$(b,OCAMLRUNPARAM) is passed on, with rings of events of 2^20 words for each domain unless \
       it has an $(b,e).";
  ]

let takes_value = [ "--json"; "--pid"; "--seconds" ]

let cmd =
  let doc = "run a program and tell what its workers and the collector did" in
  Cmd.v (Cmd.info "stat" ~doc ~exits:Watched.exits ~man) main
