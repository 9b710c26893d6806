(** The work and the span of what runs, while somebody measures them (see {!Scalability}).

    What runs between two calls of the scheduler is a strand, and is timed. A fork hands its stamp
    to both sides and goes on from the later of their ends; a task begins where it was started; one
    that has waited goes on from the later of its own stamp and that of its waker. On one worker
    nothing runs meanwhile, so the times are those of the strands alone. *)

module Sites : Map.S with type key = Call_site.t

type tally = int Sites.t
(** The type for nanoseconds, or calls, by call site. *)

type stamp = {
  site : Call_site.t;  (** the innermost fork, loop or start of a task that it is in *)
  span : int;  (** nanoseconds *)
  burdened : int;  (** the same, if every fork were a steal *)
  path : tally;  (** what [span] consists of *)
}
(** The type for the point that a strand has reached in the program: the longest path from the
    beginning to here. *)

val origin : stamp
(** [origin] is the beginning. *)

val start : stamp -> unit
(** [start at] begins a strand at [at], on the calling domain. *)

val stop : unit -> stamp
(** [stop ()] is where the domain's strand ends; [origin] if none runs. *)

val strand : stamp -> (stamp -> unit) -> (unit -> 'a) -> 'a
(** [strand at until f] is [f ()] from [at] on; [until] is given where it ends. *)

(** {1 From the start to the end} *)

val monotonic : unit -> int
(** [monotonic ()] is the time, in nanoseconds. *)

val turn_on : clock:(unit -> int) -> steal:int -> unit
(** [turn_on ~clock ~steal] begins to measure, by [Hooks], with this clock, and with steals that
    take [steal] nanoseconds. To put back the hooks that were there before ends that. *)

type result = { last : stamp; work : tally; calls : tally }
(** The type for profiles. *)

val result : stamp -> result
(** [result at] is the profile of measured code that has ended at [at]. *)
