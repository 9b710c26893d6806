(* The command drover: one subcommand per tool. *)

open Cmdliner

let () =
  Fmt_tty.setup_std_outputs ();
  let info = Cmd.info "drover" ~doc:"tools for parallel OCaml programs" in
  exit (Cmd.eval' (Cmd.group info [ Bench.cmd ]))
