open Cmdliner

let output =
  let doc = "Write the timeline to $(docv), in the format that Perfetto and Chrome open." in
  Arg.(required & opt (some filepath) None & info [ "o"; "output" ] ~docv:"FILE" ~doc)

let parts =
  let doc = "A file that $(b,drover trace -o) has written in one rank." in
  Arg.(non_empty & pos_all filepath [] & info [] ~docv:"PART" ~doc)

let merge output parts =
  match Drover_show.Destination.write output (Drover_trace.Merge.files parts) with
  | () -> 0
  | exception Sys_error why -> Watched.fails Watched.unwatchable why

let man =
  [
    `S Manpage.s_description;
    `P
      "Makes one timeline from those that the ranks of a job have written under an MPI launcher, \
       with a group for each rank. Timelines of several machines are aligned as well as the clocks \
       of these machines agree.";
    `S Manpage.s_examples;
    `Pre "mpirun -n 2 drover trace -o trace.json -- ./sweep.exe";
    `Pre "drover merge -o all.json trace.0.json trace.1.json";
  ]

let cmd =
  let doc = "merge the timelines of several ranks" in
  Cmd.v (Cmd.info "merge" ~doc ~exits:Watched.exits ~man) Term.(const merge $ output $ parts)
