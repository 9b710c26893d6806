(* What the library does not stand yet, each with its reason: kinds of faults, and operations under a
   kind, such as "raises: sleep". To be empty. *)

let interrupted = "what raises in the scheduler loses tasks, and locks with them"

let kinds =
  [
    ("signal-raises", interrupted);
    ("memprof-raises", interrupted);
    ("finaliser-raises", interrupted);
    ("raises", interrupted);
    ("overflow", interrupted);
    ("threads", "OCaml dies when it has a thread for a domain, and none for its backup thread");
  ]

let operations : (string * string) list = []
