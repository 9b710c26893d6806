type t = unit Ivar.t

let create = Ivar.create
let is_open = Ivar.is_full
let open_up g = ignore (Ivar.fill g () : bool)

let pass g =
  let seat = Ivar.seat () in
  let sit waiter = Ivar.sit g seat (fun () -> ignore (Waiter.wake waiter : bool)) in
  try Wait.wait sit
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    Ivar.leave g seat;
    Printexc.raise_with_backtrace exn backtrace
