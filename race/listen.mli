(** What the engine's hooks tell of a program: where strands begin, pause and end. *)

val turn_on : unit -> unit
(** [turn_on ()] has the engine tell, from now on. Before any pool is made. *)

val has_threads : bool ref
(** [has_threads] is whether the program has made threads, which are not followed. *)

val refuse : string -> 'a
(** [refuse why]: the program does what cannot be checked. Says so, and ends the process. *)
