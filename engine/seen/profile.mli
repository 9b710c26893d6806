(** The work and the span of what runs, while somebody measures them (see [Scalability]).

    What runs between two calls of the scheduler is a strand, and is timed (see {!Strand}). A fork
    hands its stamp to both sides and goes on from the later of their ends; a task begins where it
    was started; whoever waits goes on from the later of its own stamp and that of whoever wakes it.
    On one worker nothing runs meanwhile, so the times are those of the strands alone. *)

module Sites = Strand.Sites

type stamp = Strand.stamp = { site : int; span : int; burdened : int; path : Strand.tally }

val is_on : bool ref
(** [is_on] is whether somebody measures. What follows is for that case only. *)

val cores : int
(** [cores] is for how many workers to measure what depends on their number: the most that
    predictions are for. *)

val origin : stamp
val join : stamp -> stamp -> stamp
val start : stamp -> unit
val stop : unit -> stamp
val pass : unit -> stamp
val meet : stamp -> unit
val strand : stamp -> (stamp -> unit) -> (unit -> 'a) -> 'a

val aside : (unit -> 'a) -> 'a
(** As in {!Strand}. *)

(** {1 What has a place of its own} *)

val fork : ((unit -> 'a) -> (unit -> 'b) -> 'c) -> (unit -> 'a) -> (unit -> 'b) -> 'c
(** [fork both f g] is [both f g], measured as a fork. *)

val task : (unit -> 'a) -> unit -> 'a
(** [task body] is [body], measured as a task that the caller starts. *)

val in_place : (unit -> 'a) -> unit -> 'a
(** [in_place f] is [f], a task for which its caller only waits, which is no fork. *)

type loop
(** The type for loops: a balanced tree, with the iterations as its leaves and a [combine] where two
    branches meet. *)

val loop : int -> (loop -> 'a) -> 'a
(** [loop n f] is [f loop], measured as a loop of [n] iterations. *)

val iteration : loop -> (unit -> 'a) -> 'a
(** [iteration loop f] is [f ()], measured as an iteration. *)

val combine : loop -> (unit -> 'a) -> 'a
(** [combine loop f] is [f ()], measured as a combine. *)

(** {1 From the start to the end} *)

val monotonic : unit -> int
(** [monotonic ()] is the time, in nanoseconds. *)

val turn_on : clock:(unit -> int) -> steal:int -> unit
(** [turn_on ~clock ~steal] begins to measure, with this clock, and with steals that take [steal]
    nanoseconds. *)

type result = { last : stamp; work : Strand.tally; calls : Strand.tally }
(** The type for profiles. *)

val turn_off : stamp -> result
(** [turn_off at] ends that; the measured code has ended at [at]. *)
