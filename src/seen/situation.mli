(** What a program is at: what its workers do, what waits for what, and where the tasks are that
    run. For who looks at a program that hangs. *)

val follow : unit -> unit
(** [follow ()] has {!tell} know the pools that open from now on. To be called once. Never waits. *)

val tell : (string -> unit) -> unit
(** [tell print] calls [print] on one text after the other. Any thread, also in the handler of a
    signal. To learn where tasks are it makes a minor collection in the end, which never returns if
    a domain has no safepoint, and blocks for a second at most. *)

val describe : Worker.team list -> (string -> unit) -> unit
(** [describe pools print] is the part of {!tell} that does not block, of these pools: what workers
    do, and what waits for what. *)

val name : Worker.t -> string
(** [name w] is what reports call it. *)

val tell_where : (string -> unit) -> Worker.t -> unit
(** [tell_where print w], by [w] itself, prints where its task is. *)
