let until ~undo wait =
  match wait () with
  | v -> v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (match Critical.finish undo with () -> () | exception _ -> ());
      Printexc.raise_with_backtrace exn backtrace

let and_then leave f =
  match f () with
  | v ->
      Critical.finish leave;
      v
  | exception exn -> Critical.raise_after leave () exn
