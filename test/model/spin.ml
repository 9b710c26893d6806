(* Stands for the spinning, which would be one more interleaving of the same. *)

let until f = f ()
