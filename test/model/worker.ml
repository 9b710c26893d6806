(* Stands for the scheduler's workers: all processes are tasks of a pool of one, where nobody spins; or
   threads outside of it. *)

type team = { members : unit array }
type t = { team : team }

let here () = { team = { members = [| () |] } }
let is_outside = ref false
let mine () = if !is_outside then None else Some (here ())
