open Cmdliner
open Drover_watch

let racy = 66

(* What the program adds to its environment for itself: see [Start] of drover.race. *)
let run_with_report (program : Program.t) settings =
  let environment = Shuffled.environment settings in
  let args = Array.of_list (program.path :: program.args) in
  let pid =
    Unix.create_process_env program.path args environment Unix.stdin Unix.stdout Unix.stderr
  in
  (* Ctrl-C goes to the program, too, which decides. *)
  let before = Sys.signal Sys.sigint Signal_ignore in
  let rec wait () =
    match Unix.waitpid [] pid with
    | _, status -> status
    | exception Unix.Unix_error (EINTR, _, _) -> wait ()
  in
  let status = wait () in
  Sys.set_signal Sys.sigint before;
  match status with WEXITED code -> code | WSIGNALED n | WSTOPPED n -> 128 + Sys.signal_to_int n

let not_rewritten =
  "The program tells of no accesses. Build it with --instrument-with ppx_drover.race, and with \
   (instrumentation (backend ppx_drover.race)) in its dune file."

let summary file code =
  match Yojson.Safe.from_file file with
  | exception (Sys_error _ | Yojson.Json_error _) -> Error not_rewritten
  | report ->
      let open Yojson.Safe.Util in
      let list name = match member name report with `List l -> l | _ -> [] in
      let accesses = to_int (member "accesses" report) in
      if list "races" = [] then
        Watched.says
          (Fmt.str "no race among %d accesses%s" accesses
             (if code = 0 then "" else Fmt.str ", until it ended with exit code %d" code));
      (match list "locked" with
      | [] -> ()
      | first :: _ as l ->
          let place = List.hd (to_list first) in
          Watched.says
            (Fmt.str
               "only a lock, or a state that each domain has for itself, keeps %d pair%s of places \
                apart, such as %s:%d: %s; --shuffle shows whether the result depends on who comes \
                first"
               (List.length l)
               (if List.length l = 1 then "" else "s")
               (to_string (member "file" place))
               (to_int (member "line" place))
               (to_string (member "what" place))));
      (match filter_string (list "unseen") with
      | [] -> ()
      | l -> Watched.says (Fmt.str "not seen, as not rewritten: %s" (String.concat ", " l)));
      if member "threads" report = `Bool true then
        Watched.says "threads of the standard library are not followed: what they do is not checked";
      Ok ()

let check json ~known ~write_known program =
  let file, forget =
    match json with
    | Some file -> (file, ignore)
    | None ->
        let file = Filename.temp_file "drover-race" ".json" in
        (file, fun () -> if Sys.file_exists file then Sys.remove file)
  in
  if Option.is_none json then Sys.remove file;
  Fun.protect ~finally:forget (fun () ->
      let setting name = Option.fold ~none:[] ~some:(fun file -> [ (name, file) ]) in
      let settings =
        (("DROVER_RACE_JSON", file) :: setting "DROVER_RACE_KNOWN" known)
        @ setting "DROVER_RACE_WRITE_KNOWN" write_known
      in
      let code = run_with_report program settings in
      Result.map (fun () -> code) (summary file code))

let shuffle domains n program =
  let is_rewritten file = Sys.file_exists file && (Unix.stat file).st_size > 0 in
  match Shuffled.search program ~domains ~is_rewritten n with
  | Error () -> Error not_rewritten
  | Ok [] ->
      Watched.says (Fmt.str "%d schedules, and one result" n);
      Ok 0
  | Ok ((seed, how) :: _ as l) ->
      Watched.says
        (Fmt.str "on %d of up to %d schedules the result is another, first with --seed %d:\n  %s"
           (List.length l) n seed how);
      Ok racy

let main =
  let open Term.Syntax in
  let+ json = Watched.json
  and+ n =
    let doc =
      "Do not look for data races, but run the program on $(docv) schedules, chosen by the seeds \
       from 1 to $(docv), and compare the results."
    in
    Arg.(value & opt (some int) None & info [ "shuffle" ] ~docv:"N" ~doc)
  and+ seed =
    let doc = "Run the program on the schedule of seed $(docv), once more." in
    Arg.(value & opt (some int) None & info [ "seed" ] ~docv:"S" ~doc)
  and+ domains =
    let doc =
      "With $(b,--shuffle) or $(b,--seed): on $(docv) domains, where the seed chooses who is held \
       up. Only with one, the default, does a seed stand for one schedule."
    in
    Arg.(value & opt int 1 & info [ "domains" ] ~docv:"N" ~doc)
  and+ known =
    let doc = "Do not report the races that $(docv) names." in
    Arg.(value & opt (some file) None & info [ "known" ] ~docv:"FILE" ~doc)
  and+ write_known =
    let doc =
      "Write the races that are found to $(docv), for $(b,--known): a line for each pair of \
       places, by what is accessed in which file, whatever the line."
    in
    Arg.(value & opt (some filepath) None & info [ "write-known" ] ~docv:"FILE" ~doc)
  and+ words = Watched.words in
  let files = Option.to_list json @ Option.to_list write_known in
  Watched.run words ~files (fun program ->
      match (seed, n) with
      | Some seed, _ -> Ok (Shuffled.replay program ~domains seed)
      | None, Some n -> shuffle domains n program
      | None, None -> check json ~known ~write_known program)

let exits =
  Cmd.Exit.info racy ~doc:"when the program has a data race, or its result depends on the schedule."
  :: Watched.exits

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs a program on one domain, and prints on standard error the data races that it has on \
       any number: each pair of places in its text that access the same element, field or \
       structure, one to change it, where nothing says which comes first. One run finds the races \
       of all schedules for its input, whatever the order in which it ran; but where a lock, a \
       message, an atomic or the time decides what the program does, only those of what it did.";
    `P
      "The program must have been built with $(b,--instrument-with ppx_drover.race), and its dune \
       files must have $(b,(instrumentation \\(backend ppx_drover.race\\))). Such a program \
       reports its races also without this command. Libraries that were not built so, and C, are \
       not seen.";
    `P
      "An expression with $(b,[@drover.racy \"why\"]) is left out: one that races on purpose, and \
       says why that does no harm.";
    `P
      "A program may have no race, and its result depend on the schedule all the same: on who \
       comes first to a lock or a channel, on where the states of a fold meet. With $(b,--shuffle) \
       it runs many times, and whatever may go first does so by a seed: a side of a fork, an \
       iteration, a task, a wait that is over. What it prints on standard output and how it ends \
       is compared with a run without seed. So results that differ are found, waits that were \
       forgotten, and tasks that wait for each other on some schedules only.";
    `S Manpage.s_examples;
    `Pre "dune build --instrument-with ppx_drover.race ./main.exe";
    `Pre "drover race _build/default/main.exe --size 9";
    `Pre "drover race --shuffle 50 _build/default/main.exe --size 9";
    `Pre "drover race --seed 17 _build/default/main.exe --size 9";
  ]

let takes_value = [ "--json"; "--shuffle"; "--seed"; "--domains"; "--known"; "--write-known" ]

let cmd =
  let doc = "run a program that was built for it and find its data races" in
  Cmd.v (Cmd.info "race" ~doc ~exits ~man) main
