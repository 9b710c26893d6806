(* What a rewritten program does from its start, by its environment: it listens, and reports at its end; or it runs on a
   schedule by a seed. *)

let status = 66

let write_report print =
  let write file =
    Out_channel.with_open_bin file (fun c -> print (Format.formatter_of_out_channel c))
  in
  Option.iter write (Sys.getenv_opt "DROVER_RACE_JSON")

let finish () =
  Option.iter Races.write_known (Sys.getenv_opt "DROVER_RACE_WRITE_KNOWN");
  Option.iter Races.read_known (Sys.getenv_opt "DROVER_RACE_KNOWN");
  write_report
    (Races.print_json ~accesses:!Shadow.accesses ~unseen:(Sites.unseen ())
       ~has_threads:!Listen.has_threads);
  if Races.count () > 0 then begin
    Races.print Format.err_formatter;
    exit status
  end

let finish_shuffled () =
  write_report (fun ppf -> Format.fprintf ppf {|{"decisions":%d}@.|} (Atomic.get Shuffle.tossed))

let number name ~default = Option.fold (Sys.getenv_opt name) ~none:default ~some:int_of_string

let () =
  match (Sys.getenv_opt "DROVER_RACE", Sys.getenv_opt "DROVER_RACE_SHUFFLE") with
  | Some "0", _ -> ()
  | _, Some seed ->
      Shuffle.turn_on (int_of_string seed) ~domains:(number "DROVER_RACE_DOMAINS" ~default:1);
      at_exit finish_shuffled
  | _, None ->
      Listen.turn_on ();
      at_exit finish
