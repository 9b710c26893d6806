(** Waits that somebody ends, once. *)

type t
(** The type for one wait of one task or thread. *)

val wait : (t -> unit) -> unit
(** [wait register] waits until somebody wakes the waiter that [register] is given: it suspends the
    calling task, or blocks the calling thread. [register] runs before anybody can wake it, on the
    worker's own stack: it must not raise or wait. It may wake the waiter itself. Raises
    {!Token.Cancelled} if the calling task is cancelled, before or while it waits; then [wake] is
    [false], and the caller takes the waiter out of where [register] put it. *)

val wait_inside : Worker.t -> (t -> unit) -> unit
(** [wait_inside w] is [wait] in a task that [w] runs. *)

val wait_for_end : ((unit -> unit) -> unit) -> cancel:(exn -> unit) -> unit
(** [wait_for_end on_end ~cancel] waits, in any case, until [on_end] calls what it is given; that it
    may be given a second function for the same wait. If the calling task is cancelled, before or
    meanwhile, calls [cancel] with the reason, once, and waits on. *)

val wake : t -> bool
(** [wake w] ends the wait, and is [true], or is [false] if it has ended already: then what was to
    be handed over is for another. Any thread of any domain. Never waits. *)
