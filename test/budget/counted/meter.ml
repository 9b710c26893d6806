(* The writes to atomics, by all domains. *)

let count (_ : Paths.place) = Atomic.writes ()
