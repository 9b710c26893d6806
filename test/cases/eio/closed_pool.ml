(* The error of [run] with a closed pool named [Drover.Pool.staff], which nobody had called. *)

let () =
  Case.main @@ fun () ->
  Eio_main.run @@ fun _ ->
  let pool = Drover.Pool.create ~domains:2 () in
  Drover.Pool.close pool;
  match Drover_eio.run ~pool ignore with
  | () -> Case.wrong "run works on a closed pool"
  | exception e ->
      let message = Printexc.to_string e in
      Case.expect (Case.contains message "Drover_eio.run") "run on a closed pool raises %s" message
