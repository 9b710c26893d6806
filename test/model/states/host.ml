(* Stands for the hosts of fibers: there are none. *)

type caller = Fiber | Thread

let caller () = Thread
let park (_ : caller) = Parker.park
