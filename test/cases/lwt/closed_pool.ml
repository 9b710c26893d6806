(* The error of [detach] with a closed pool named [Drover.Pool.staff], which nobody had called. *)

let () =
  Case.main @@ fun () ->
  let pool = Drover.Pool.create ~domains:2 () in
  Drover.Pool.close pool;
  match Lwt_main.run (Drover_lwt.detach ~pool ignore) with
  | () -> Case.wrong "detach works on a closed pool"
  | exception e ->
      let message = Printexc.to_string e in
      Case.expect
        (Case.contains message "Drover_lwt.detach")
        "detach on a closed pool raises %s" message
