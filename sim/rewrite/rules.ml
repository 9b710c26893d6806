(* Rules: what stands for what in the copy of the sources that runs on simulated processors. All that the
   simulator knows of them beyond their interfaces stands here; a rule that matches nothing is an error. *)

(* Records without atomic fields, of which several threads use the plain ones *)
let shared =
  [
    "Anatomy.t";
    "Anatomy.loop";
    "Anatomy.pace";
    "Anatomy.slice";
    "Anatomy.help";
    "Anatomy.team";
    "Deque.t";
    "Deque.slot";
    "Token.t";
  ]

(* Where a label is of several such records, and not of one of the module itself: which one it is there;
   "" if of none. *)
let labels =
  [
    (("Memo", "state"), "Hash_trie.entry");
    (("Hash_table", "slots"), "Segment.t");
    (("Account", "members"), "");
    (("Token", "members"), "");
    (("Failure", "members"), "");
    (("Ticker", "late"), "");
    (("Scope", "ended"), "");
    (("Hash_table", "slots"), "");
    (("This_thread", "number"), "");
    (("Wait", "number"), "");
  ]

(* What a function costs, whatever it reads and writes: in a module, a function of [Work] that is called first. *)
let prices =
  [
    ("Fork_join", "fork", "fork"); ("Task", "in_fiber", "fiber"); ("Worth", "begin_stolen", "stolen");
  ]

(* Functions whose calls are counted *)
let counted = [ ("Search", "search", "searches"); ("Worth", "begin_stolen", "steals") ]

(* Functions that a test may leave out *)
let left_out = [ ("Team", "notify", ()) ]

(* Primitives that read or write an element of an array *)
let elements =
  [
    "%array_safe_get";
    "%array_safe_set";
    "%array_unsafe_get";
    "%array_unsafe_set";
    "%floatarray_unsafe_get";
    "%floatarray_unsafe_set";
  ]
