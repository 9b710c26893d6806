(** Tables of what has been computed: each key's value is computed once, whoever asks for it, and
    all others await it. *)

type ('k, 'v) t
(** The type for tables of the values of a function from ['k] to ['v]. *)

val create :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> (('k -> 'v) -> 'k -> 'v) -> ('k, 'v) t
(** [create f] is a table, empty as yet, of the values [f get k], where [get] is {!get} of the table
    itself. Keys that are [equal] ([compare x y = 0]) must have equal hashes ([Hashtbl.hash]). A
    table grows, and keeps all that it has. Never waits. *)

val get : ('k, 'v) t -> 'k -> 'v
(** [get t k] is [f get k], which is called by the first that asks for [k]; from outside a task, in
    the default pool. Suspends or blocks while another computes it. Raises what [f] raised, each
    time, with its backtrace; unless that was the cancellation of its task: then the next that asks
    computes. Raises {!Cycle} where the value is needed to compute itself. Once it is there, it
    takes some loads to read. *)

exception Cycle
(** [Cycle] is raised by {!get} in the computation of a value that needs itself, by however many
    steps, tasks and tables, in place of waiting for ever; what a computation starts is part of it.
    A failure as any other: whoever lets it pass fails with it. *)

val find_opt : ('k, 'v) t -> 'k -> 'v option
(** [find_opt t k] is the value of [k], if it is there. Never waits. *)
