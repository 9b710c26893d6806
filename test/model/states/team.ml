(* Stands for the workers of a pool. *)

let add (team : Worker.team) ~urgent:(_ : bool) job = team.added <- job :: team.added
let add_outside = add
let needs_another (_ : Worker.team) = false
let wake_one (_ : Worker.team) = ()
