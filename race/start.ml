(* Listens from the start of the program, and reports at its end. *)

let status = 66

let finish () =
  let write file =
    Out_channel.with_open_bin file (fun c ->
        Races.print_json ~accesses:!Shadow.accesses (Format.formatter_of_out_channel c))
  in
  Option.iter write (Sys.getenv_opt "DROVER_RACE_JSON");
  if Races.count () > 0 then begin
    Races.print Format.err_formatter;
    exit status
  end

let () =
  if Sys.getenv_opt "DROVER_RACE" <> Some "0" then begin
    Listen.turn_on ();
    at_exit finish
  end
