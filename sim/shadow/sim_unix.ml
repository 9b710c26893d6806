(* What is used of the system beside [System], [Bell] and [Poll] *)

open Drover_machine
include Unix

let gettimeofday = Work.now
let time () = Work.now ()
let sleepf = Sim_thread.delay
let sleep n = sleepf (float n)
let getpid () = 1

(* See [Files]: the only link is that of Processors. *)
let readlink path =
  if path = "/proc/thread-self" then "thread/" ^ string_of_int (World.me ()).number
  else raise (Unix_error (ENOENT, "readlink", path))
