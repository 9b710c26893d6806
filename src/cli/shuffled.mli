(** Runs of a program on schedules by seeds, and how they differ. *)

open Drover_watch

val environment : (string * string) list -> string array
(** [environment settings] is that of this process, with those [settings] of drover.race and no
    others. *)

val search :
  Program.t ->
  domains:int ->
  is_rewritten:(string -> bool) ->
  int ->
  ((int * string) list, unit) result
(** [search program ~domains ~is_rewritten n] runs [program] as it is, and then with the seeds from
    1 to [n] on so many domains. It is the seeds whose standard output or end is another than that
    of the first run, with the first difference; one that does not end is the last. [Error ()] if
    the program does not know seeds: [is_rewritten file] is [false] of the report that it was to
    write. *)

val replay : Program.t -> domains:int -> int -> int
(** [replay program ~domains seed] runs it with that seed, and is its exit code. *)
