(** Listens to a program that runs already.

    Its runtime must write events: started with [OCAML_RUNTIME_EVENTS_START=1], or by
    [Runtime_events.start]. It does so into a file, which anybody may read who may read the
    program's files; the program does not notice. *)

val name : int -> string
(** [name pid] is what to call the process [pid]: its number, and its command where the system
    tells. *)

val run : pid:int -> seconds:float option -> Event.listener -> (Watch.outcome, string) result
(** [run ~pid ~seconds listen] is {!Watch.run} from now until the process [pid] ends, the user
    interrupts, or [seconds] have passed, whatever comes first. What happened before is not told,
    but for what it has led to (see {!Whereabouts}), and events that are lost are [Unknown Begin].
    The error says why there are no events to read. *)
