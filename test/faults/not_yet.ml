(* What the library does not stand yet, each with its reason: kinds of faults, and operations under a
   kind, such as "raises: sleep". To be empty. *)

let kinds =
  [ ("threads", "OCaml dies when it has a thread for a domain, and none for its backup thread") ]

let operations : (string * string) list = []
