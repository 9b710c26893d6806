(* What the library does not stand yet, each with its reason: kinds of faults, and operations under a
   kind, such as "raises: sleep". To be empty. *)

let interrupted = "what raises in the scheduler loses tasks, and locks with them"

let kinds =
  [
    ("signal-raises", interrupted);
    ("memprof-raises", interrupted);
    ("overflow", "a fork is over while its other side runs");
    ("threads", "OCaml dies when it has a thread for a domain, and none for its backup thread");
  ]

let operations =
  let calls = "a call is waiting, and nobody makes a thread for it" in
  [
    ("raises: blocking", calls);
    ("raises: Scope.run", "a task of the scope, or the scope's own end, is waited for for ever");
    ("raises: Skip_list", "a batch is interrupted in the middle of a change of the list");
    ("overflow in a call: blocking", calls);
    ( "overflow in a call: Scope.run",
      "a task of the scope, or the scope's own end, is waited for for ever" );
  ]
