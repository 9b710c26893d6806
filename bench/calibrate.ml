(* The command "bench calibrate": simulated runs beside real ones, on two processors. *)

open Cmdliner
open Drover_calibrate
open Drover_show
module Programs = Drover_real_programs

let only =
  let doc = "Compare $(docv) only, which may be several. By default all programs, and the steps." in
  Arguments.only ~doc Programs.All.programs (fun (p : Programs.Program.t) -> p.name)

let samples =
  let doc = "Samples of each program on each number of workers, taken in turns." in
  let count = Arguments.bounded ~docv:"N" ~least:1 ~most:100 in
  Arg.(value & opt count 3 & info [ "samples" ] ~docv:"N" ~doc)

(* Those that are also run beside a busy process: one of each kind *)
let beside_others =
  [ "tree-1us"; "for-1us"; "skewed"; "allocating"; "async-10us"; "channel"; "mutex"; "sum-batched" ]

let of_one_kind (p : Programs.Program.t) = List.mem p.name beside_others

(* Simulated runs are in processes of their own, and so are busy neighbours: which a program can have before it has
   domains. *)
let compare_all progress ~samples programs =
  let each f (p : Programs.Program.t) =
    Progress.next progress;
    Progress.report progress p.name;
    f p
  in
  let few = List.filter of_one_kind programs in
  Progress.begins progress (2 * (List.length programs + List.length few));
  let simulated setting programs =
    List.map (each (fun p -> (p, Agreement.simulated_twin setting p))) programs
  in
  let quiet = simulated Agreement.quiet programs and busy = simulated Agreement.busy few in
  Drover_real_world.Work.calibrate ();
  let real setting (p, simulated) = each (Agreement.of_program setting ~samples ~simulated) p in
  let beside_one () = List.map (real Agreement.busy) busy in
  let beside = if busy = [] then [] else Drover_harness.Busy.beside 1 beside_one in
  (List.map (real Agreement.quiet) quiet, beside)

let run ~wrong_result ~samples only =
  let programs = if only = [] then Programs.All.programs else only in
  let progress = Progress.on_terminal () in
  let steps = if only = [] then Steps.simulated () else [] in
  match compare_all progress ~samples programs with
  | quiet, beside ->
      if only = [] then Fmt.pr "%a" Table.pp (Verdict.steps (Steps.all ~samples ~simulated:steps));
      Progress.clear progress;
      Fmt.pr "%a" Table.pp (Verdict.programs quiet);
      if beside <> [] then Fmt.pr "%a" Table.pp (Verdict.beside_one beside);
      Cmd.Exit.ok
  | exception Agreement.Wrong_result name ->
      Progress.clear progress;
      Fmt.epr "bench: %s has a wrong result@." name;
      wrong_result

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs the programs of $(b,bench scaling) on two processors of this machine, and on the two \
       of the simulated machine $(b,virtual), which is to be like it; and single steps, such as to \
       wake a thread. For a machine with nothing else to do: samples that others disturb are \
       repeated.";
    `S Manpage.s_examples;
    `Pre "bench calibrate --only tree-1us,for-1us";
  ]

let command ~exits ~wrong_result =
  let doc = "compare simulated processors with this machine's" in
  let term =
    let open Term.Syntax in
    let+ samples and+ only in
    run ~wrong_result ~samples only
  in
  Cmd.v (Cmd.info "calibrate" ~doc ~exits ~man) term
