(** Listens to a program that runs already.

    Its runtime must write events: started with [OCAML_RUNTIME_EVENTS_START=1], or by
    [Runtime_events.start]. It does so into a file, which anybody may read who may read the
    program's files; the program does not notice. *)

val check : pid:int -> (unit, string) result
(** [check ~pid] is [Ok ()] if it does so. The error says why there are no events to read. *)

val watch :
  pid:int ->
  Event.listener ->
  on_look:(Whereabouts.t -> at:int -> Watch.outcome -> bool) ->
  (Watch.outcome, string) result
(** [watch ~pid listen ~on_look] is {!Watch.run} from now until the process [pid] ends, the user
    interrupts, or [on_look] is [false], whatever comes first. It is called many times a second with
    where the domains stand, the time, and the outcome so far. What happened before is not told, but
    for what it has led to (see {!Whereabouts}), and events that are lost are [Unknown Begin]. The
    error is that of {!check}. *)

val run : pid:int -> seconds:float option -> Event.listener -> (Watch.outcome, string) result
(** [run ~pid ~seconds listen] is [watch], for so many seconds. *)
