(** Duties of a thread: what others count on it to do.

    A finaliser, a callback of Memprof or a signal's handler may interrupt a thread anywhere, and
    block it until those others have gone on. So a thread that blocks first hands its duties over.
*)

val during : hand_over:(unit -> unit) -> (unit -> 'a) -> 'a
(** [during ~hand_over f] is [f ()], by whose end the calling thread has done its duty. If it blocks
    before, it calls [hand_over ()] first, perhaps more than once: that sees to it that another does
    the duty, or does it at once. *)

val hand_over_all : unit -> unit
(** [hand_over_all ()] is called by each thread that is about to block; where it raises, the thread
    does not. *)
