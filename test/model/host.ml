(* Stands for other schedulers, which models do not have. *)

let is_here () = false
