(** A stream of small jobs: one of two microseconds every two milliseconds, from a thread that does
    nothing else, whether or not those before it have run. *)

val until : each:(unit -> unit) -> (unit -> bool) -> unit
(** [until ~each over] calls [each ()] every two milliseconds until [over ()]. *)

val beside : ((unit -> unit) -> unit) -> each:(unit -> unit) -> (unit -> bool) -> float array
(** [beside submit ~each over] submits a job before each call of [each], as {!until} makes them, at
    least one, and waits for all jobs. The result is the milliseconds from the submission of each to
    its end. *)
