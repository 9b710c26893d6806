(** How late what is timed comes while all workers compute. *)

val all :
  Drover_harness.Kernel.size ->
  domains:int ->
  piece:(unit -> unit) ->
  (string * float * float array) list
(** [all size ~domains ~piece] is, for a sleep in an iteration of a loop of [piece]s, for a time
    limit of code that forks, and for ticks beside tasks that fork: its name, by how many
    milliseconds it may be late, and by how many it was, each time. *)
