(* Stands for the scheduler's waits: see [Waiter]. *)

let wait = Waiter.wait
let wait_for (_ : Hold.t) = wait
