(** Waits that somebody ends, once. *)

val wait : (Waiter.t -> unit) -> unit
(** [wait register] waits until somebody wakes the waiter that [register] is given: it suspends the
    calling task, or the fiber of a {!Host}, or blocks the calling thread. [register] runs in the
    calling task, before it is suspended: it puts the waiter where it will be found by an atomic
    read-modify-write step, or wakes it itself; and it may raise, having taken it out again. Raises
    {!Token.Cancelled} if the calling task is cancelled, before or while it waits, and
    [Invalid_argument] in a callback that has interrupted a task; whatever a callback raises may
    come out of it too, when the waiter has been woken already. Then the caller takes the waiter out
    of where [register] put it. The same goes for what a host raises when its fiber is cancelled. *)

val wait_for : Hold.t -> (Waiter.t -> unit) -> unit
(** [wait_for hold] is [wait], for a caller that wants [hold]: a report of a deadlock says so. *)

val wait_on_thread : (Waiter.t -> unit) -> unit
(** [wait_on_thread] is [wait], but blocks the thread also in a fiber of a host: for one that waits
    again after its host has cancelled it, and would only be cancelled again. *)

val wait_inside : Worker.t -> (Waiter.t -> unit) -> unit
(** [wait_inside w] is [wait] in a task that [w] runs. *)

val wait_for_end : ((unit -> unit) -> unit) -> cancel:(exn -> unit) -> unit
(** [wait_for_end on_end ~cancel] waits, in any case, until [on_end] calls what it is given; that it
    may be given a second function for the same wait. If the calling task is cancelled, before or
    meanwhile, calls [cancel] with the reason, once or more, and waits on. A callback that has
    interrupted a task blocks its worker meanwhile, and a fiber that its host cancels the host's
    domain. What a callback raises before the wait has begun comes out of it at once: then it is to
    be called again, or [wait_in_any_case]. *)

val wait_in_any_case : ((unit -> unit) -> unit) -> unit
(** [wait_in_any_case on_end] is the same, without being told of a cancellation, and any exception
    comes out of it at once: for what [Critical] repeats. *)
