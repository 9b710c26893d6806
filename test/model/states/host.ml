(* Stands for the hosts of fibers: there are none. *)

type caller = Fiber | Thread

let caller () = Thread
