(* Stands for the scheduler's waits: see [Waiter]. *)

let wait = Waiter.wait
