(** Ends a test program that hangs, which reports what it is at.

    The watchdog is a process of its own, started before the program has a second domain: it works
    when the main thread is blocked, when a worker never reaches a safe point, and when the whole
    runtime is stuck. *)

val guard : ?seconds:float -> string -> (unit -> 'a) -> 'a
(** [guard what f] is [f ()]. If that takes more than [seconds] (60), the watchdog ends the program,
    with all that it has started. It prints [what] on [stderr], and what these processes have
    printed there, also where that goes to files, such as Alcotest's. At the end of that, each of
    them that is a test program reports what it is at (see {!Drover_bridge.reporter}); of one that
    cannot any more the watchdog prints what the system knows of its threads. Guards may be nested.
    Main thread only. *)

val case : ?seconds:float -> string -> (unit -> unit) -> unit Alcotest.test_case
(** [case name f] is a test case that runs [f] under {!guard}. *)

val property :
  ?seconds:float ->
  ?count:int ->
  name:string ->
  print:('a -> string) ->
  'a QCheck2.Gen.t ->
  ('a -> bool) ->
  QCheck2.Test.t
(** [property ~name ~print gen law] is a test of [law] on values of [gen]. It runs under {!guard},
    which then names the value. *)
