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
    (("This_thread", "number"), "");
    (("Wait", "number"), "");
  ]

(* What a function costs, whatever it reads and writes: in a module, a function of [Work] that is called first. *)
let prices =
  [
    ("Fork_join", "fork", "fork");
    ("Run", "has_next", "safepoint");
    ("Task", "in_fiber", "fiber");
    ("Worth", "begin_stolen", "stolen");
    ("Wait", "suspend", "suspension");
    ("Timers", "compare", "timer");
    ("External", "suspend_for", "sleep");
  ]

(* What a function allocates, on the average of programs that do little else: words, and how many of them live
   when the next collection comes before the task has ended. Probe: bench calibrate. *)
let allocations =
  [
    ("Fork_join", "fork", (17, 0));
    ("Admission", "job", (25, 25));
    ("Admission", "begin_task", (26, 5));
    ("Error_group", "piece", (16, 10));
    ("Wait", "suspend", (100, 15));
    ("Poller", "after", (80, 0));
  ]

(* Functions whose calls are counted *)
let counted = [ ("Search", "search", "searches"); ("Worth", "begin_stolen", "steals") ]

(* Faults that a test may plant: in a module, a function, the fault's name, and what the function comes to then.
   Some are those of earlier versions. *)
let faults =
  [
    ("Team", "notify", ("no Team.notify", "()"));
    (* Members that have no domain yet counted as awake: so a pool wider than the machine woke nobody. *)
    ( "Team",
      "helpers",
      ( "members without a domain are awake",
        "Int.max 0 (Sleepers.length team.sleepers - Int.max 0 (Array.length team.members - \
         team.active))" ) );
    (* A plain write may be seen after the look that follows it: at who sleeps, or begins to wait. *)
    ("Token", "fence", ("no fence before a look", "()"));
    (* The step to Woken came also where there was no room for the rest of the task. *)
    ( "Waiter",
      "step_into_deque",
      ("a woken task is lost", "step t Suspended after && Deque.put deque job") );
    (* What a signal's handler raised before a promise was settled was the end of that. *)
    ("Promise", "finish", ("a task's end is lost", "conclude p context group outcome"));
  ]

(* Policies that may be exchanged, for one run: in a module, a function, the policy's name, and what the function comes to
   then (see sim/machine/mutants.ml). *)
let policies =
  [
    ("Worth", "deserves_wake_up", ("wakes for each region", "true"));
    ("Worth", "deserves_wake_up", ("wakes for none", "false"));
    ("Worth", "credit", ("offers each outermost fork", "0"));
    ("Worth", "may_search_for_long", ("searches briefly", "false"));
    ("Slice", "is_due", ("puts nothing off", "false"));
    ("Crowd", "is_surplus", ("all work", "false"));
  ]

let variants = faults @ policies

(* The modules that rules are for *)
let modules =
  let of_function (m, _, _) = m and of_record name = List.hd (String.split_on_char '.' name) in
  List.sort_uniq String.compare
    (List.map of_record shared
    @ List.map (fun ((m, _), _) -> m) labels
    @ List.map of_function prices @ List.map of_function counted @ List.map of_function variants)

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
