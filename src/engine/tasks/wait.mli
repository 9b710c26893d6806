(** To wait until somebody wakes the waiter that [register] is given.

    [register] runs in the calling task, before that is suspended: it puts the waiter where its
    waker will find it, by an atomic read-modify-write step, or wakes it itself.

    [aim] is what the caller does, in the words of a report: "awaits a promise". *)

val wait : string -> (Waiter.t -> unit) -> unit
(** [wait aim register] suspends the calling task, or the fiber of a {!Host}, or blocks the calling
    thread. Raises {!Token.Cancelled} if the calling task is cancelled, before or while it waits;
    [Invalid_argument] in a callback that has interrupted a task, which cannot wait; what a host
    raises when its fiber is cancelled; and what [register] does. Then the caller takes the waiter
    out of where [register] put it. *)

val wait_for : Hold.t -> (Waiter.t -> unit) -> unit
(** [wait_for hold] is [wait], for a caller that wants [hold]: a report of a deadlock says so. *)

val until_full : string -> 'a Ivar.t -> unit
(** [until_full aim cell] is {!wait}, until [cell] is full. *)

val refuse : unit -> 'a
(** [refuse ()] raises [Invalid_argument], for a callback that would have to wait. *)

val in_any_case : string -> (Waiter.t -> unit) -> unit
(** [in_any_case aim register] waits until the waiter is woken, whatever becomes of the calling
    task: its cancellation does not end the wait, nor that of a fiber by its host, which then blocks
    its thread; as does a callback that cannot suspend. *)

val briefly : (unit -> bool) -> unit
(** [briefly is_over] spins until [is_over ()], for some microseconds at most. *)

val until_ended : string -> ((unit -> unit) -> unit) -> cancel:(exn -> unit) -> unit
(** [until_ended aim on_end ~cancel], in a task, waits in any case until [on_end] calls what it is
    given, which may be given a second function for the same wait. If the calling task is cancelled,
    before or meanwhile, it calls [cancel] with the reason, and waits on. If a signal's handler
    raises meanwhile, or a host cancels the calling fiber, it does the same, and raises that when
    the wait is over. [cancel] may be called again. *)

val from_start_to_end :
  string ->
  has_begun:bool ref ->
  (unit -> bool) ->
  ((unit -> unit) -> unit) ->
  cancel:(exn -> unit) ->
  unit
(** [from_start_to_end aim ~has_begun start on_end ~cancel] is {!until_ended} for what [start ()]
    begins, if that is [true]: there is something to wait for. [start] sets [has_begun] in one step
    with the beginning: whatever raises from then on, the caller waits. *)

(** {1 Who can wait} *)

val suspend : Waiter.t -> bool
(** [suspend t] suspends the calling task until [t], its waiter, is woken; what it has begun is for
    others meanwhile. [false] if the caller cannot wait. *)

val can_wait : unit -> bool
(** [can_wait ()] is whether the calling task can, unlike a callback that has interrupted it. *)

val check_may_block : unit -> unit
(** [check_may_block ()] raises [Invalid_argument] in a callback that has interrupted a worker
    between two tasks: others might wait for that worker. *)
