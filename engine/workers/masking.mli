(** When the code that a worker runs may be interrupted.

    The code of a context that is [interruptible] gets the exception of a cancellation at its next
    safepoint, only while the worker is {e unmasked}: from the first step of a task's or a fork's
    own code, inside of what catches its exceptions, to its last one, and not while it is suspended
    or lies beneath another. For the worker's own thread. *)

val unmask : Worker.t -> unit
(** [unmask w]: its user's code goes on, or begins. *)

val mask : Worker.t -> unit
(** [mask w]: it pauses, or has ended. *)

val unmask_again : unit -> unit
(** [unmask_again ()] is [unmask] where code may have come from another worker. *)

val mask_here : unit -> unit
(** [mask_here ()] is [mask], likewise. *)

val mask_in_handler : unit -> unit
(** [mask_in_handler ()] is the same in a handler: a callback that raises meanwhile does not get
    away with the exception. *)

val attention_in : Worker.t -> Context.t -> unit -> unit
(** [attention_in w context] is the attention of a fiber of [context] that [w] runs. *)

val interrupt : Worker.t -> unit
(** [interrupt w], by the finaliser of [Ticker], raises if its code is to be interrupted. *)
