(** The work and the span of what runs, while somebody measures them (see {!Scalability}).

    What runs between two calls of the scheduler is a strand, and is timed. A fork hands its stamp
    to both sides and goes on from the later of their ends; a task begins where it was started; one
    that has waited goes on from the later of its own stamp and that of its waker. On one worker
    nothing runs meanwhile, so the times are those of the strands alone. *)

val turn_on : ?records:bool -> clock:(unit -> int) -> steal:int -> unit -> Strand.stamp
(** [turn_on ~records ~clock ~steal ()] begins to measure, by [Hooks], with this clock, and with
    steals that take [steal] nanoseconds; if [records] (default: [false]), what is done is recorded,
    too. It is where the first strand is to start. To put back the hooks that were there before ends
    all that. *)

type border = {
  call : Call_site.t;
  work : int;  (** outside any call, before this one *)
  span : int;  (** the same, on the longest path *)
}
(** The type for calls that are in no other, as borders of the code that does not fork. *)

type result = {
  last : Strand.stamp;
  work : Strand.tally;
  calls : Strand.tally;
  iterations : Strand.tally;  (** of loops with many *)
  measuring : int;  (** the time that the program took longer because it was measured, about *)
  borders : (border * border) option;  (** the first and the last, if there is any *)
}
(** The type for profiles. *)

val result : Strand.stamp -> result
(** [result at] is the profile of measured code that has ended at [at]. *)
