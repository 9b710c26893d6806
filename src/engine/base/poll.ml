type state = Waiting | Ready | Closed

(* The order of the fields and of the states is known to poll.c. It sets the latter without an atomic
   step: no request waits again, and one who sees its state late asks again. *)
type request = { descriptor : Unix.file_descr; for_writing : bool; mutable state : state }
[@@warning "-unused-field"]

let request ~for_writing descriptor = { descriptor; for_writing; state = Waiting }

external poll : request array -> float -> bool = "drover_poll"

(* Without memory for it, the next look is to be soon, but not at once. *)
let wait requests seconds = if not (poll requests seconds) then Unix.sleepf (Float.min 0.01 seconds)
