(* Stands for the load of the machine: there is none. *)

let is_surplus (_ : Worker.t) = false
