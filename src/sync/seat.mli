(** Seats: where a task or a thread waits for something that is given to it, once.

    Any thread, unless it says otherwise; only {!wait} waits, and it raises what [Wait.wait] does. *)

type 'v state = Free | Waiting of Waiter.t | Given of 'v | Gone

type 'v t = 'v state Atomic.t
(** The type for seats of those who wait for a ['v]. *)

val create : unit -> 'v t
(** [create ()] is Free. *)

val wait : 'v t -> join:(unit -> bool) -> leave:(unit -> unit) -> unit
(** [wait seat ~join ~leave] waits until the seat is Given or Gone. [join ()] puts it where others
    find it, or is [false] if a wait is not needed: then the seat is Gone, unless it was given
    something already. If the wait is cancelled, [leave ()] takes the seat away again. In a section,
    by the caller that created the seat, once. *)

val claim : 'v t -> 'v -> Waiter.t option
(** [claim seat v] gives [v], and is whom to wake then; [None], and nothing else, if the seat is not
    Waiting any more. *)

val give : 'v t -> 'v -> bool
(** [give seat v] is [claim], and wakes that one. *)

val dismiss : 'v t -> unit
(** [dismiss seat] makes the seat Gone if it was given nothing, and wakes whoever waits there. *)

(** {1 Cancellation} *)

val cancellable : ('a -> unit) -> 'a -> withdraw:(unit -> bool) -> unit
(** [cancellable wait x ~withdraw] is [wait x]. If that is cancelled, [withdraw ()] tries to take back
    what the caller has offered or asked for. If others were faster, the cancellation comes too late:
    then this returns, and the next wait of the task raises. What a signal's handler raises is raised
    in any case. *)
