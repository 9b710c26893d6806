(** Bodies of which none goes on before all have begun. *)

val begun : int -> ((unit -> unit) -> unit) -> float list
(** [begun n f] is how many seconds after this call each of the bodies began that had begun when the
    first of them went on, in order. [f body] is to call [body ()] [n] times, anywhere. Each of
    these calls is a body: it blocks its thread, without the scheduler's knowing, until all [n] have
    begun; or for half a minute, and then others go on, too. *)
