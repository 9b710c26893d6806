(** The work and the span of what runs, while somebody measures them (see [Scalability]).

    What runs between two calls of the scheduler is a strand, and is timed (see {!Strand}). A fork
    hands its stamp to both sides and goes on from the later of their ends; a task begins where it
    was started; whoever waits goes on from the later of its own stamp and that of whoever wakes it.
    On one worker nothing runs meanwhile, so the times are those of the strands alone. *)

module Sites = Strand.Sites

type stamp = Strand.stamp = { site : int; span : int; burdened : int; path : Strand.tally }

val origin : stamp
val start : stamp -> unit
val stop : unit -> stamp

val strand : stamp -> (stamp -> unit) -> (unit -> 'a) -> 'a
(** As in {!Strand}. *)

(** {1 From the start to the end} *)

val monotonic : unit -> int
(** [monotonic ()] is the time, in nanoseconds. *)

val turn_on : clock:(unit -> int) -> steal:int -> unit
(** [turn_on ~clock ~steal] begins to measure, by {!Hooks}, with this clock, and with steals that
    take [steal] nanoseconds. Whoever puts back the hooks that were there before ends that. *)

type result = { last : stamp; work : Strand.tally; calls : Strand.tally }
(** The type for profiles. *)

val result : stamp -> result
(** [result at] is the profile of measured code that has ended at [at]. *)
