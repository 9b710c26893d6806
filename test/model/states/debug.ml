(* Stands for what is kept in debug mode. *)

let is_on = false
let with_start locals = locals
