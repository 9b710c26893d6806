(* Stands for the scheduler's waits: see [Waiter]. *)

let wait (_ : string) = Waiter.wait
let wait_for (_ : Hold.t) = Waiter.wait
let briefly (_ : unit -> bool) = ()

let until_full aim cell =
  let seat = Ivar.seat () in
  try wait aim (fun w -> Ivar.sit cell seat (fun () -> ignore (Waiter.wake w : bool)))
  with exn ->
    Ivar.stand_up seat;
    raise exn
