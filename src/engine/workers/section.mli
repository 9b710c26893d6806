(** Sections: code of the library that nothing interrupts.

    The code that a worker runs is either the user's or the library's. In the user's, the exception
    of a cancellation may come at any safepoint, if the code is [interruptible], and the {!Ticker},
    which raises it, may offer what the worker hides. In a section neither happens: so what outlives
    a call, such as a lock, a channel, a promise or a fork, changes in a section, and is never left
    half done.

    The scheduler is one long section. It is left where a task's own code begins, and entered where
    that ends. A function of the library that has something to change enters one of its own; a task
    that is suspended in a section goes on in it, on whatever worker.

    A section is entered with room on the stack, so that nothing in it raises [Stack_overflow] but
    what insists, which then has another stack (see [Shared.insist]).

    For the calling worker's own thread. *)

val run : ('a -> 'b) -> 'a -> 'b
(** [run f x] is [f x] in a section; outside a pool it is just that. Raises [Stack_overflow] before
    anything else if there is little room on the stack. *)

val run_reserved : ('a -> unit) -> 'a -> unit
(** [run_reserved f x] is [Shared.insist f x] in a section, where {!reserve_stack} was called
    before: an end that others wait for. *)

val finally : (unit -> unit) -> (unit -> 'a) -> 'a
(** [finally finish f] is [f ()], followed in any case by [run_reserved finish ()]. *)

val enter : unit -> bool
(** [enter ()] enters a section, and is whether the caller was in none. No safepoint: for where
    nothing may come between a step before and the section, not even the allocation of [f]. *)

val enter_on : Worker.t -> bool
(** [enter_on w] is [enter ()] on the worker [w]. *)

val exit : bool -> unit
(** [exit is_outermost], in any case, ends what [enter] began, which was [is_outermost]. *)

val reserve_stack : unit -> unit
(** [reserve_stack ()] raises [Stack_overflow] now if the stack has not room left for what the
    library does in one call. Costs a few nanoseconds. *)

val reserve_stack_for : int -> unit
(** [reserve_stack_for n] is the same for [n] such calls, one within the other. *)

val has_room : unit -> bool
(** [has_room ()] is whether {!reserve_stack} does not raise. *)

val begin_user_code : Worker.t -> unit
(** [begin_user_code w]: a task's own code begins on [w], or goes on. *)

val end_user_code : Worker.t -> unit
(** [end_user_code w]: it has ended, or the library goes on. *)
