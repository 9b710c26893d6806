(** What a program is at: what its workers do, what waits for what, and where the tasks are that
    run. For who looks at a program that hangs. *)

val follow : unit -> unit
(** [follow ()] has {!tell} know the pools that open from now on. Never waits. *)

val tell : ?silence:(Worker.t -> float) -> in_full:bool -> (string -> unit) -> unit
(** [tell ~silence ~in_full print] calls [print] on one text after the other. [in_full] is for those
    who look for an error of Drover's: how many tasks each worker has had, and whole stacks; else of
    each stack what is the program's own. [silence w] is for how many seconds at least [w] has
    passed no scheduling point. Any thread, one at a time, also in the handler of a signal. To learn
    where tasks are it makes minor collections in the end, which never return if a domain has no
    safepoint, and blocks for a second at most. *)

val is_asked : Worker.t -> bool
(** [is_asked w] is whether [w] is to say where its task is, as {!tell} wants to know. *)
