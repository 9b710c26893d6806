(* The program that measures Drover beside serial OCaml and its rivals. *)

open Cmdliner
open Drover_harness
open Drover_show
open Drover_suite

(* The exit codes that only this command has. *)
let wrong_result = 1
let bad_input = 2
let slower = 3

let exits =
  Cmd.Exit.info wrong_result ~doc:"when a version's result differs from the serial program's."
  :: Cmd.Exit.info bad_input ~doc:"when a file or directory given cannot be used."
  :: Cmd.Exit.info slower
       ~doc:"with $(b,--compare) or $(b,--guard), when something is slower than it was."
  :: Cmd.Exit.defaults

let choice =
  let value (c : Registry.choice) = Arg.Completion.value c ~doc:c.doc in
  let complete _ ~token =
    let is_meant (c : Registry.choice) = String.starts_with ~prefix:token c.name in
    Ok (List.map value (List.filter is_meant Registry.choices))
  in
  Arg.Conv.make ~docv:"KERNEL" ~parser:Registry.find
    ~pp:Fmt.(using (fun (c : Registry.choice) -> c.name) string)
    ~completion:(Arg.Completion.make complete) ()

let entries =
  let doc =
    "What to measure; $(b,--list) lists the names. $(b,programs) is a suite of programs, and \
     $(b,attempts) one of what new users write first. By default every kernel and every probe."
  in
  let chosen = Arg.(value & pos_all choice [] & info [] ~docv:"KERNEL" ~doc) in
  Term.(const (List.concat_map (fun (c : Registry.choice) -> c.entries)) $ chosen)

let domains =
  let doc = "The numbers of domains to measure on, each the total parallelism." in
  let domain_count = Arguments.bounded ~docv:"N" ~least:1 ~most:128 in
  Arg.(value & opt (list domain_count) [ 1; 2 ] & info [ "domains" ] ~docv:"N,..." ~doc)

let runs =
  let doc =
    "Samples of each version, taken in turns. By default 11 at full size; at quick size 5, or \
     fewer where they take long, but at least 3. With $(b,--guard) the pairs of processes, by \
     default 15."
  in
  let count = Arguments.bounded ~docv:"N" ~least:1 ~most:1000 in
  Arg.(value & opt (some count) None & info [ "runs" ] ~docv:"N" ~doc)

let size =
  let doc = "$(docv) is $(b,quick), $(b,full) for figures to quote, or $(b,tiny) for tests." in
  let sizes = [ ("tiny", Kernel.Tiny); ("quick", Quick); ("full", Full) ] in
  Arg.(value & opt (enum sizes) Kernel.Quick & info [ "size" ] ~docv:"SIZE" ~doc)

let json =
  let doc = "Write medians, quartiles and the facts about the machine to $(docv), as JSON." in
  Arg.(value & opt (some filepath) None & info [ "json" ] ~docv:"FILE" ~doc)

let html =
  let doc = "Write tables and plots to $(docv), as one self-contained web page." in
  Arg.(value & opt (some filepath) None & info [ "html" ] ~docv:"FILE" ~doc)

let from =
  let doc =
    "Measure nothing, but take the results from $(docv), which $(b,--json) wrote. Of several files \
     the last that has a kernel counts."
  in
  Arg.(value & opt_all filepath [] & info [ "from" ] ~docv:"FILE" ~doc)

let picture =
  let doc = "Draw the speed-up of all programs on the most domains into $(docv), as SVG." in
  Arg.(value & opt (some filepath) None & info [ "picture" ] ~docv:"FILE" ~doc)

let update =
  let doc =
    "Renew the figures in $(docv), in Markdown or a page of the manual (.mld), which marks where \
     they stand."
  in
  Arg.(value & opt_all filepath [] & info [ "update" ] ~docv:"FILE" ~doc)

let beside =
  let doc =
    "With $(b,--update): quote the results in $(docv) too, which $(b,--json) wrote in a session \
     with $(b,--busy)."
  in
  Arg.(value & opt_all filepath [] & info [ "beside" ] ~docv:"FILE" ~doc)

let busy =
  let doc = "Keep $(docv) other processes spinning, to measure on contended processors." in
  let count = Arguments.bounded ~docv:"N" ~least:0 ~most:1024 in
  Arg.(value & opt count 0 & info [ "busy" ] ~docv:"N" ~doc)

let minor_heap_words =
  let doc =
    "Give each domain, of each version, a minor heap of $(docv) words. By default Drover's pools \
     and the runtime choose."
  in
  let words = Arguments.bounded ~docv:"N" ~least:4096 ~most:(1 lsl 28) in
  Arg.(value & opt (some words) None & info [ "minor-heap-words" ] ~docv:"N" ~doc)

let brief =
  let doc =
    "Leave out Domainslib, rayon, OpenMP, the pauses of the garbage collector, and details, and \
     warm up for less time."
  in
  Arg.(value & flag & info [ "brief" ] ~doc)

let rle =
  let doc = "The pattern that $(b,life) plays, in run-length encoding (B3/S23)." in
  Arg.(value & opt (some filepath) None & info [ "rle" ] ~docv:"FILE" ~doc)

let dir =
  let doc = "The directory tree that $(b,index) reads; by default the OCaml library's sources." in
  Arg.(value & opt (some dirpath) None & info [ "dir" ] ~docv:"DIR" ~doc)

let out =
  let doc = "Write pictures, such as that of $(b,mandelbrot), into the directory $(docv)." in
  Arg.(value & opt (some dirpath) None & info [ "out" ] ~docv:"DIR" ~doc)

let compare =
  let doc =
    "Show how the times have changed since $(docv), which $(b,--json) wrote: with 95% confidence \
     intervals, and regressions first."
  in
  Arg.(value & opt (some filepath) None & info [ "compare" ] ~docv:"FILE" ~doc)

let guard =
  let doc =
    "Measure the commit $(docv) and this program in turns, $(b,--brief), and name what has become \
     slower or faster."
  in
  Arg.(value & opt (some string) None & info [ "guard" ] ~docv:"COMMIT" ~doc)

let list =
  let doc = "List what can be measured, and do nothing else." in
  Arg.(value & flag & info [ "list" ] ~doc)

let print_list () =
  List.iter (fun (c : Registry.choice) -> Fmt.pr "%-15s %s@." c.name c.doc) Registry.choices

let plan domains runs (size : Kernel.size) minor_heap_words brief : Measure.plan =
  let default_runs, warm_up_seconds, sample_seconds =
    Kernel.by_size size ~tiny:(1, 0., 0.) ~quick:(5, 0.08, 0.05) ~full:(11, 0.3, 0.2)
  in
  let enough_seconds = if size = Quick && runs = None then 5. else infinity in
  let runs = Option.value runs ~default:default_runs in
  let warm_up_seconds = if brief then warm_up_seconds /. 4. else warm_up_seconds in
  let sample_seconds = if brief then sample_seconds /. 2. else sample_seconds in
  { domains; runs; enough_seconds; minor_heap_words; warm_up_seconds; sample_seconds; brief }

let exit_code : (unit, Suite.failure) result -> _ = function
  | Ok () -> Cmd.Exit.ok
  | Error (Wrong why) ->
      Fmt.epr "bench: %s@." why;
      wrong_result
  | Error (Bad_input why) ->
      Fmt.epr "bench: %s@." why;
      bad_input
  | Error Slower -> slower

let main =
  let open Term.Syntax in
  let+ entries
  and+ domains
  and+ runs
  and+ size
  and+ from
  and+ json
  and+ picture
  and+ update
  and+ beside
  and+ html
  and+ busy
  and+ minor_heap_words
  and+ brief
  and+ rle
  and+ dir
  and+ out
  and+ compare
  and+ guard
  and+ list in
  let domains = List.sort_uniq Int.compare domains in
  match guard with
  | _ when list ->
      print_list ();
      Cmd.Exit.ok
  | Some commit ->
      let names = List.map Registry.name entries in
      let pairs = Option.value runs ~default:15 in
      exit_code (Guard.run { commit; names; size; domains; pairs })
  | None ->
      let entries = if entries = [] then Registry.entries else entries in
      let plan = plan domains runs size minor_heap_words brief in
      exit_code
        (Suite.run
           {
             entries;
             params = { size; rle; dir };
             plan;
             busy;
             from;
             json;
             picture;
             update;
             beside;
             html;
             out;
             compare;
           })

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs real programs in several versions: serial, with Drover, and with Domainslib, on one \
       and more domains. The result of every run is checked against that of the serial program.";
    `P
      "The table of a kernel has a row for each version and number of domains. $(b,time) is the \
       median of the samples, which are taken in turns; $(b,vs serial) and $(b,vs self) are the \
       speed-up over the serial program, and over the same version on the fewest domains; \
       $(b,spread) (the distance of the quartiles over the median) tells how noisy the machine \
       was. $(b,GC max) and $(b,GC p99) are the longest pause of a domain for the garbage \
       collector and the 99th percentile, $(b,GC share) is the part of all domains' time that went \
       into pauses; they come from a run of their own. A $(b,>) says that the runtime dropped some \
       events, so that there was more.";
    `P
      "The other names that $(b,--list) shows are probes: figures of one property of the library \
       each.";
    `P
      "$(b,bench scaling) shows how programs scale on simulated processors: see $(b,bench scaling \
       --help).";
    `P
      "$(b,--guard) builds a commit beside this tree, with today's bench where that compiles \
       there, and runs both in pairs of processes, old, new, new, old: by default a few kernels, \
       probes and programs, for some five minutes. A kernel is slower if the whole middle half of \
       its pairs is slower by more than 3%, and so is that of its times over those of the serial \
       program.";
    `S Manpage.s_examples;
    `Pre "bench fib matmul --domains 1,2,4";
    `Pre "bench --size quick --json results.json --html report.html";
    `Pre "bench --size full --json new.json --compare old.json";
    `Pre "bench programs --size full --runs 7";
    `Pre "bench fib for-tiny --guard HEAD~5";
    `Pre "bench scaling --machine server";
    `Pre "bench --from bench/figures.json --html report.html --picture speedup.svg";
    `Pre "bench index --dir ~/src --runs 9";
    `Pre "bench binarytrees --busy 1 --minor-heap-words 1048576";
  ]

(* The name of a kernel is no command's. *)
let commands =
  [ Scaling.command ~exits ~wrong_result ~bad_input; Calibrate.command ~exits ~wrong_result ]

let is_command word = List.exists (fun command -> Cmd.name command = word) commands

let () =
  let doc = "measure how real programs scale, and check their results" in
  let info = Cmd.info "bench" ~doc ~exits ~man in
  let bench =
    if Array.length Sys.argv > 1 && is_command Sys.argv.(1) then Cmd.group info commands
    else Cmd.v info main
  in
  Colours.set_up ();
  exit (Colours.with_errors (fun err -> Cmd.eval' ~err bench))
