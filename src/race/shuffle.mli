(** Schedules by a seed: what may run in any order runs in one that the seed chooses. *)

val turn_on : int -> domains:int -> unit
(** [turn_on seed ~domains] has the engine ask, from now on, in pools of [domains] workers. Before
    any pool is made. With one domain, a seed stands for one schedule. *)

val tossed : int Atomic.t
(** [tossed] is how many decisions there were. *)
