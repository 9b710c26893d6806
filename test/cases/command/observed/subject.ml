(* What the command observes: says its number, and then computes until it is stopped. *)

let compute () =
  while true do
    ignore (Drover.parallel_reduce ~start:1 ~finish:1000 ~init:0 ~combine:( + ) Fun.id : int)
  done

let () =
  ignore (Drover.run ~domains:2 (fun () -> Drover.both Gc.minor Gc.minor) : unit * unit);
  Printf.printf "number %d\n%!" (Unix.getpid ());
  match Sys.argv with
  | [| _; "killed" |] -> Unix.kill (Unix.getpid ()) Sys.sigkill
  | [| _; "endless" |] -> compute ()
  | _ -> ()
