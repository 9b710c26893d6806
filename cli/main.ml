(* The command drover: one subcommand per tool. *)

open Cmdliner

(* The commands that run a program of the user's: their options end where its name stands. *)
let watching =
  [ ("stat", Stat.takes_value); ("trace", Trace.takes_value); ("scale", Scale.takes_value) ]

let argv =
  match Array.to_list Sys.argv with
  | drover :: command :: args when List.mem_assoc command watching ->
      let takes_value = List.assoc command watching in
      Array.of_list (drover :: command :: Drover_watch.Program.mark ~takes_value args)
  | _ -> Sys.argv

let () =
  Fmt_tty.setup_std_outputs ();
  let info = Cmd.info "drover" ~doc:"tools for parallel OCaml programs" in
  exit (Cmd.eval' ~argv (Cmd.group info [ Bench.cmd; Stat.cmd; Trace.cmd; Scale.cmd ]))
