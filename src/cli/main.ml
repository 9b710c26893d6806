(* The command drover: one subcommand per tool. *)

open Cmdliner
open Drover_show

(* The commands that run a program of the user's: their options end where its name stands. *)
let watching =
  [
    ("stat", Stat.takes_value);
    ("trace", Trace.takes_value);
    ("scale", Scale.takes_value);
    ("tune", Tune.takes_value);
    ("race", Race.takes_value);
  ]

let argv =
  match Array.to_list Sys.argv with
  | drover :: command :: args when List.mem_assoc command watching ->
      let takes_value = List.assoc command watching in
      Array.of_list (drover :: command :: Drover_watch.Program.mark ~takes_value args)
  | _ -> Sys.argv

let () =
  Colours.set_up ();
  let info = Cmd.info "drover" ~version:Version.number ~doc:"tools for parallel OCaml programs" in
  let drover =
    Cmd.group info
      [ Stat.cmd; Trace.cmd; Merge.cmd; Scale.cmd; Tune.cmd; Race.cmd; Where.cmd; Top.cmd ]
  in
  exit (Colours.with_errors (fun err -> Cmd.eval' ~argv ~err drover))
