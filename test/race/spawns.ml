(* A domain that no rewritten file spawns: it is refused all the same, with exit code 2. *)

let () = Domain.join (Domain.spawn ignore)
