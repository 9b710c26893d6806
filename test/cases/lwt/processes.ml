(* Once there are domains OCaml cannot fork, so [Lwt_process] raises. The way that works is
   [Drover.blocking]. *)

let echo () =
  let input = Unix.open_process_in "echo works" in
  let line = In_channel.input_line input in
  ignore (Unix.close_process_in input : Unix.process_status);
  Option.value line ~default:"says nothing"

let () =
  Case.main @@ fun () ->
  let way = Lwt_main.run (Drover_lwt.detach (fun () -> Drover.blocking echo)) in
  let lwt =
    match Lwt_main.run (Lwt_process.pread_line ("", [| "echo"; "works" |])) with
    | line -> line
    | exception Failure _ -> "raises"
  in
  Case.expect (way = "works") "after a job Lwt_process %s, and a process in Drover.blocking %s" lwt
    way
