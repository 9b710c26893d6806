(* The command "bench calibrate": simulated runs beside real ones, on two processors. *)

open Cmdliner
open Drover_calibrate
open Drover_show
module Programs = Drover_real_programs

let only =
  let doc = "Compare $(docv) only, which may be several. By default all programs, and the steps." in
  let name =
    Arg.enum (List.map (fun (p : Programs.Program.t) -> (p.name, p)) Programs.All.programs)
  in
  Arg.(value & opt_all (list name) [] & info [ "only" ] ~docv:"PROGRAM,..." ~doc)

let samples =
  let doc = "Samples of each program on each number of workers, taken in turns." in
  let count = Arguments.bounded ~docv:"N" ~least:1 ~most:100 in
  Arg.(value & opt count 3 & info [ "samples" ] ~docv:"N" ~doc)

let run ~wrong_result ~samples only =
  let programs = if only = [] then Programs.All.programs else List.concat only in
  let progress = Progress.on_terminal () in
  let each f (p : Programs.Program.t) =
    Progress.next progress;
    Progress.report progress p.name;
    f p
  in
  Progress.begins progress (2 * List.length programs);
  let steps = if only = [] then Steps.simulated () else [] in
  let simulated = List.map (each Agreement.simulated_twin) programs in
  Drover_real_world.Work.calibrate ();
  if only = [] then Fmt.pr "%a" Table.pp (Verdict.steps (Steps.all ~samples ~simulated:steps));
  let compare p simulated = each (Agreement.of_program ~samples ~simulated) p in
  match List.map2 compare programs simulated with
  | all ->
      Progress.clear progress;
      Fmt.pr "%a" Table.pp (Verdict.programs all);
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
