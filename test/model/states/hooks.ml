(* Stands for the hooks: nobody listens. *)

type mark = unit

let no_mark = ()
let pass () = no_mark
let shortcuts () = true
