(** Array functions called again and again, as by a program whose arrays are small. *)

val probe : Drover_harness.Probe.t
(** [probe] is how fast functions on 10 to 1,000,000 elements are, relative to the standard
    library's or the obvious serial program with the same closures; and what a call on few costs
    more. *)
