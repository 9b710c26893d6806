open Cmdliner
open Drover_show
open Drover_watch
open Drover_tune

let runs =
  let doc = "Compare the settings that come into question in $(docv) turns." in
  Arg.(value & opt int 5 & info [ "runs" ] ~docv:"N" ~doc)

let budget =
  let doc = "Take no more than about $(docv) seconds. The first half goes into the search." in
  Arg.(value & opt float 300. & info [ "budget" ] ~docv:"SECONDS" ~doc)

let check_runs runs =
  let least = Search.least_turns in
  if runs < least then
    raise (Bench.Failed (Printf.sprintf "--runs %d: a gain needs at least %d" runs least))

(* The least with which a search makes sense: a look at some settings, and four turns of three. *)
let least_runs = 20

let check_budget ~budget seconds =
  let least = float least_runs *. seconds in
  if least > budget then
    raise
      (Bench.Failed
         (Printf.sprintf "A run takes %s, and a search at least %d: use --budget %.0f."
            (Show.seconds seconds) least_runs (ceil least)))

let settings () =
  let cores = Domain.recommended_domain_count () in
  let now = Option.bind (Sys.getenv_opt "DROVER_DOMAINS") int_of_string_opt in
  Setting.all ~cores ~now:(Option.value now ~default:cores)

(* The first run fills caches, and does not count. *)
let search bench ~runs ~budget =
  check_runs runs;
  let world = Bench.world bench in
  world.phase "first" 1;
  (* As it is, it does not fail without an exception. *)
  let first = Option.get (world.measure Setting.as_it_is) in
  check_budget ~budget first.seconds;
  Search.search world ~budget ~runs (settings ())

let warnings bench (r : Search.result) =
  Bench.warnings bench
  @
  let turns = Search.turns r in
  if turns >= Search.least_turns then []
  else
    [
      Printf.sprintf
        "The budget was over after %d turns, which show no gain: use a larger --budget." turns;
    ]

let report (bench : Bench.t) json ~others (r : Search.result) =
  let program = Fmt.str "@[<h>%a@]" Program.pp bench.program in
  Print.pp ~program ~warnings:(warnings bench r) ~others Fmt.stderr r;
  let save file = Watched.save_json file (Print.to_json ~program ~line:(Bench.line bench) r) in
  Option.iter save json;
  Option.iter (fun (row : Search.row) -> print_endline (Bench.line bench row.setting)) r.choice

let tune json runs budget program =
  let bench = Bench.create program and machine = Contention.start () in
  let report result =
    report bench json ~others:(Contention.others machine) result;
    0
  in
  Bench.guard bench (fun () -> search bench ~runs ~budget) |> Result.map report

let main =
  let open Term.Syntax in
  let+ json = Watched.json and+ runs and+ budget and+ words = Watched.words in
  Watched.run words ~files:(Option.to_list json) (tune json runs budget)

let exits =
  [
    Cmd.Exit.info 0 ~doc:"when the search has come to its end, whether anything helps or not.";
    Cmd.Exit.info Cmd.Exit.cli_error ~doc:"on command line errors.";
    Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on unexpected internal errors (bugs).";
    Cmd.Exit.info Watched.unwatchable
      ~doc:
        "when the program, as it is run, did not end with exit code 0, when the budget is too \
         small, or when a file could not be written.";
    Cmd.Exit.info Watched.no_program ~doc:"when there is no such program.";
  ]

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs a program many times, with several numbers of domains, sizes of minor heaps and values \
       of the collector's $(b,space_overhead), and prints the command line with the best of these \
       settings on standard output, ready to be pasted. All else goes to standard error: what that \
       gains over the program as it is run, and the memory that it takes. If nothing helps, the \
       command says so, and prints no line.";
    `P
      "First the settings race: each runs once, and the faster half again, until two are left. \
       Then these two, all parts of the better one, and the program as it is run, run in turns, \
       $(b,--runs) times. Only these runs count. A gain is the median of the ratios within a turn, \
       shown with its middle half; it must be at least 3% in three of four turns. Among the \
       settings that the fastest one does not beat by as much, the one with less memory is chosen, \
       and then the one with fewer changes.";
    `P
      "What is measured is what the line says: $(b,s=) is where minor heaps begin, and Drover lets \
       them grow from there. What the program chooses itself, by a pool's $(b,~domains) or \
       $(b,Gc.set), stays, and then the setting changes nothing. Other parameters in \
       $(b,OCAMLRUNPARAM) are kept.";
    `P
      "The program must be safe to run many times, and must end with exit code 0. A program that \
       ends otherwise by intention, such as a linter, can be run by $(b,sh -c 'PROGRAM || true'). \
       Its output is not shown, but compared between runs. Standard input is read again if it is a \
       file. The memory is the most that the program's own process had, without those that it \
       starts; with $(b,sh), that is the shell's.";
    `S Manpage.s_examples;
    `Pre "drover tune ./solver.exe --size 9";
    `Pre "drover tune --budget 60 --runs 9 ./solver.exe --size 9 < problem";
    `Pre "drover tune sh -c './linter.exe src || true'";
  ]

let takes_value = [ "--json"; "--runs"; "--budget" ]

let cmd =
  let doc = "run a program with several settings and say which is fastest" in
  Cmd.v (Cmd.info "tune" ~doc ~exits ~man) main
