(* There are no descriptors *)

type state = Waiting | Ready | Closed
type request = { descriptor : Unix.file_descr; for_writing : bool; mutable state : state }

let request ~for_writing descriptor = { descriptor; for_writing; state = Waiting }
let wait (_ : request array) seconds = if seconds > 0. then Thread.delay seconds
