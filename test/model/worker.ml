(* Stands for the scheduler's workers: all processes are tasks of a pool of one, where nobody spins. *)

type team = { members : unit array }
type t = { team : team }

let here () = { team = { members = [| () |] } }
let mine () = Some (here ())
