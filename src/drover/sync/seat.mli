(** Seats: where a task or a thread waits for something that is given to it, once.

    Any thread, unless it says otherwise; only {!wait} and {!cancellable} wait, and raise what
    [Wait.wait] does. *)

type 'v state = Open | Given of 'v | Gone

type 'v t
(** The type for seats of those who wait for a ['v]. *)

val create : unit -> 'v t
(** [create ()] is a seat that nobody knows. *)

val wait : string -> 'v t -> join:(unit -> bool) -> remove:(unit -> unit) -> 'v state
(** [wait aim seat ~join ~remove] waits until [seat] is Given something, or Gone, as it was
    dismissed. [join ()] puts it where others find it; if it is [false] no wait is needed, and the
    seat is dismissed. If the wait is cancelled, [remove ()] takes the seat away again. In a
    section, by the caller that created the seat, once. *)

val claim : 'v t -> 'v -> bool
(** [claim seat v] gives [v], unless something was given, or the wait is over. The caller wakes the
    waiter next. *)

val wake : 'v t -> unit
(** [wake seat] wakes the waiter, for the caller that has claimed the seat. *)

val dismiss : 'v t -> unit
(** [dismiss seat] wakes the waiter without anything, unless something was given. *)

val cancellable : (string -> 'a -> unit) -> string -> 'a -> withdraw:(unit -> bool) -> unit
(** [cancellable wait aim x ~withdraw] is [wait aim x]. If that is cancelled, [withdraw ()] tries to
    take back what the caller has offered or asked for. If others were faster, the cancellation
    comes too late: then this returns, and the next wait of the task raises. What a signal's handler
    raises is raised in any case. *)
