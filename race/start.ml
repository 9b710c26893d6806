(* Listens from the start of the program, and reports at its end. *)

let status = 66

let finish () =
  if Races.count () > 0 then begin
    (match Sys.getenv_opt "DROVER_RACE_JSON" with
    | None -> Races.print Format.err_formatter
    | Some file ->
        Out_channel.with_open_bin file (fun c ->
            Races.print_json (Format.formatter_of_out_channel c)));
    exit status
  end

let () =
  if Sys.getenv_opt "DROVER_RACE" <> Some "0" then begin
    Listen.turn_on ();
    at_exit finish
  end
