(** Work that does not fork, allocate or look at the clock. *)

val work : int -> unit
(** [work rounds] does [rounds] rounds of it. *)

val rounds_for : float -> int
(** [rounds_for seconds] is how many rounds take about so long, as measured now. *)
