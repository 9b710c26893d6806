(** Claimants: threads that wait for a caller's place to be free, in a pool of one worker. Each has
    to take it in its turn, or waits for a worker of its domain: so all are woken for each place. *)

val among : (Parker.t -> 'a) -> 'a
(** [among f] is [f parker], where [parker] is woken each time that a place is free. *)

val wake_all : unit -> unit
(** [wake_all ()]: a place is free. Any thread. Never waits. *)
