open Cmdliner
open Drover_watch
open Drover_trace

let output =
  let doc = "Write the timeline to $(docv), in the format that Perfetto and Chrome open." in
  Watched.own Arg.(value & opt (some filepath) None & info [ "o"; "output" ] ~docv:"FILE" ~doc)

let html =
  let doc = "Write the timeline to $(docv), as a self-contained web page." in
  Watched.own Arg.(value & opt (some filepath) None & info [ "html" ] ~docv:"FILE" ~doc)

let trace output html (subject : Watched.subject) =
  let recording = Recording.create () in
  let listen = Recording.listen recording and on_lost = Recording.on_lost recording in
  let finish (outcome : Watch.outcome) =
    let name = subject.name in
    let chrome oc = Chrome.write oc ~program:name recording in
    let page oc = output_string oc (Page.to_html ~program:name recording) in
    let write file contents =
      Drover_show.Destination.write file contents;
      Watched.says ("the timeline is in " ^ file)
    in
    Option.iter (fun file -> write file chrome) output;
    Option.iter (fun file -> write file page) html;
    if not outcome.hears_drover then
      Fmt.epr "drover: no task ran: the timeline has only the garbage collector's phases.@.";
    if outcome.lost > 0 then
      Fmt.epr "drover: %d words of events were lost: the timeline has gaps. Try %s.@." outcome.lost
        "OCAMLRUNPARAM=e=22,d=16";
    List.iter Watched.says (Watch.remarks outcome);
    if recording.dropped > 0 then
      Fmt.epr "drover: only the first %d of %d events are in the timeline.@." Recording.most
        (Recording.most + recording.dropped);
    Watch.exit_code outcome
  in
  subject.watch ~bindings:[ "DROVER_SITES=1" ] ~on_lost listen |> Result.map finish

let main =
  let open Term.Syntax in
  let+ output
  and+ html
  and+ pid = Watched.pid
  and+ seconds = Watched.seconds
  and+ words = Watched.words in
  match (output, html) with
  | None, None ->
      Watched.fails Cmd.Exit.cli_error
        "which file should it write? Example: drover trace -o FILE -- PROGRAM ARGUMENTS"
  | _ ->
      let files = Option.to_list output @ Option.to_list html in
      Watched.run_or_attach words ~pid ~seconds ~files (trace output html)

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs a program that uses Drover, and writes a timeline of what each domain did: tasks, \
       steals, sleep, batches, phases of OCaml's garbage collector of at least a microsecond, and \
       the spans that the program names with $(b,Drover.named). A task gets the first name that it \
       begins, and keeps it when it waits; without one it is called by the function that started \
       it, with file and line. A wait is an arrow from where the task stopped to where it resumed. \
       Marks show how long the workers, together, waited for processors that other programs had.";
    `P
      "Open the file of $(b,-o) at ui.perfetto.dev or chrome://tracing, and the page of \
       $(b,--html) in any browser.";
    `P
      "Under an MPI launcher, each rank writes its own file, with its number before the extension; \
       $(b,drover merge) makes one timeline of them.";
    `S Manpage.s_examples;
    `Pre "drover trace -o trace.json ./solver.exe --size 9";
    `Pre "drover trace --pid 4711 --seconds 2 --html trace.html";
    `Pre "drover trace --html trace.html -- _build/default/bin/main.exe";
  ]

let takes_value = [ "-o"; "--output"; "--html"; "--pid"; "--seconds" ]

let cmd =
  let doc = "run a program and draw a timeline of its domains" in
  Cmd.v (Cmd.info "trace" ~doc ~exits:Watched.exits ~man) main
