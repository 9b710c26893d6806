(* Uses Drover through a module only, which the compiler finds without Drover's own. *)

let () = assert (Drover.Array.init 10 Fun.id = Array.init 10 Fun.id)
