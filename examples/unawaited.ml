(* A task that fails and that nobody awaits is not lost: a hook of yours is told. *)

let () =
  Drover.Promise.on_unawaited_failure (fun e _backtrace ->
      Printf.printf "a task failed: %s\n" (Printexc.to_string e));
  Drover.run (fun () -> ignore (Drover.async (fun () -> raise Not_found)));
  print_endline "done"
