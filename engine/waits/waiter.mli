(** Waits that somebody ends, once. *)

type t
(** The type for one wait of one task or thread. *)

val wait : (t -> unit) -> unit
(** [wait register] waits until somebody wakes the waiter that [register] is given: it suspends the
    calling task, or the fiber of a {!Host}, or blocks the calling thread. [register] runs in the
    calling task, before it rests: it may raise, having taken the waiter out of where it put it, and
    may wake the waiter itself. Raises {!Token.Cancelled} if the calling task is cancelled, before
    or while it waits, and [Invalid_argument] in a callback that has interrupted a task; whatever a
    callback raises may come out of it too, when the waiter has been woken already. Then the caller
    takes the waiter out of where [register] put it. The same goes for what a host raises when its
    fiber is cancelled. *)

val wait_for : Hold.t -> (t -> unit) -> unit
(** [wait_for hold] is [wait], for a caller that wants [hold]: a report of a deadlock says so. *)

val wait_on_thread : (t -> unit) -> unit
(** [wait_on_thread] is [wait], but blocks the thread also in a fiber of a host: for one that waits
    again after its host has cancelled it, and would only be cancelled again. *)

val wait_inside : Worker.t -> (t -> unit) -> unit
(** [wait_inside w] is [wait] in a task that [w] runs. *)

val wait_for_end : ((unit -> unit) -> unit) -> cancel:(exn -> unit) -> unit
(** [wait_for_end on_end ~cancel] waits, in any case, until [on_end] calls what it is given; that it
    may be given a second function for the same wait. If the calling task is cancelled, before or
    meanwhile, calls [cancel] with the reason, once or more, and waits on. A callback that has
    interrupted a task blocks its worker meanwhile, and a fiber that its host cancels the host's
    domain. What a callback raises before the wait has begun comes out of it at once: then it is to
    be called again, or [sleep_until]. *)

val sleep_until : ((unit -> unit) -> unit) -> unit
(** [sleep_until on_end] is the same, without being told of a cancellation, and any exception comes
    out of it at once: for what [Critical] repeats. *)

val wake : t -> bool
(** [wake w] ends the wait, and is [true], or is [false] if it has ended already: then what was to
    be handed over is for another. Any thread of any domain. Never waits. Whatever a callback raises
    comes out of it only when it has come to its end, without the result. *)

val hurry : t -> unit
(** [hurry w] makes the task go on before all other work of its pool when it is woken: for one that
    is given what others wait for, and would keep it while it lies in a queue. To be called by
    [register]. *)
