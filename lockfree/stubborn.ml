let call f x =
  try f x
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    f x;
    Printexc.raise_with_backtrace exn backtrace
