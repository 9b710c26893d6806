(** What parallelism gains beside other programs that want the processors too. *)

val section : Store.t list -> string option
(** [section sessions] tells, for each kernel that the first of [sessions] and others have measured,
    how fast it is on the most domains; [None] if there is one session only. A session says how many
    processes spun meanwhile ([bench --busy]). *)
