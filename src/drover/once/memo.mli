(** Memo tables: the first task that needs a key's value computes it, and all others wait for it. *)

type ('k, 'v) t
(** The type for tables of the values of a function from ['k] to ['v]. *)

val create :
  ?bound:int ->
  ?hash:('k -> int) ->
  ?equal:('k -> 'k -> bool) ->
  (('k -> 'v) -> 'k -> 'v) ->
  ('k, 'v) t
(** [create f] is an empty table for the values [f get k], where [get] is {!get} on the table
    itself. By default, [equal] is [compare x y = 0] and [hash] is [Hashtbl.hash]; equal keys must
    have equal hashes.

    The table grows, and never forgets a value, unless there is a [bound]: then it keeps at most
    [bound] results, failures among them, and takes memory in proportion to [bound]. When one more
    has been computed, the one goes that was computed first, but for those that were used since
    their turn last came: they have another turn. So results that are in use stay, as with
    {e least recently used first}. What is being computed never goes. From anywhere; never waits.
    Raises [Invalid_argument] if [bound < 1]. *)

val get : ('k, 'v) t -> 'k -> 'v
(** [get t k] is [f get k]. The first caller with [k] computes it, as a task of the default pool if
    it is in no task. Suspends or blocks while another caller computes it. If [f] raises, each [get]
    of [k] raises its exception with its backtrace, unless that was the cancellation of the task
    that computed: then the next caller computes, as it does when the result has gone. Raises
    {!Cycle} if the value is needed to compute itself. Once it is computed, [get] takes a few loads.
*)

exception Cycle
(** [Cycle] is raised by {!get}, instead of waiting for ever, in the computation of a value that
    needs itself, through any number of steps, tasks and tables. The tasks that a computation starts
    are part of it. It is a failure like any other: a computation that does not catch it fails with
    it. *)

val find_opt : ('k, 'v) t -> 'k -> 'v option
(** [find_opt t k] is the value of [k], if it has been computed and is kept. Never waits. *)
