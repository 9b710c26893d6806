(* Stands for the scheduler's waits: see [Waiter]. *)

let wait = Waiter.wait
let wait_for (_ : Hold.t) = wait

let until_full cell =
  let seat = Ivar.seat () in
  try wait (fun w -> Ivar.sit cell seat (fun () -> ignore (Waiter.wake w : bool)))
  with exn ->
    Ivar.stand_up seat;
    raise exn
