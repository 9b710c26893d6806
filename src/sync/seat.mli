(** Where one waits for something that is given to it, once. Any thread, unless it says otherwise;
    only {!wait} waits. *)

type 'v state = Empty | Given of 'v | Gone

type 'v t = private {
  state : 'v state Atomic.t;
  mutable waiter : Waiter.t option;  (** written before anybody else gets to know the seat *)
}
(** The type for seats. *)

val create : unit -> 'v t
(** [create ()] is Empty. *)

(** {1 To give}

    A gift is one step (see [Critical]); the wake-up comes after it, and may be repeated. [given] is
    [Given v]. *)

val give : 'v t -> 'v state -> bool
(** [give seat given] is whether the seat was Empty, and has that now. *)

val give_from : 'v t -> 'v state -> Permits.hand -> unit
(** [give_from seat given hand] is the same with a signal that is in [hand], and leaves it in that
    step. *)

val give_for : 'v t -> 'v state -> 'a Exchange.message -> 'a option -> unit
(** [give_for seat given hand message] is the same, and [hand] has [message] from that step on. *)

val wake : 'v t -> unit
(** [wake seat] wakes whoever was given something, or has nothing to wait for any more. *)

(** {1 To wait} *)

val wait : 'v t -> (unit -> bool) -> unit
(** [wait seat get_in_line] waits until something is given, or the seat is gone, unless
    [get_in_line ()] is [false]: then a wait is not needed. Whoever created the seat, once. Raises
    [Cancelled], with the seat gone and nothing given. *)

val give_up : 'v t -> unit
(** [give_up seat]: nothing is given any more. *)

val is : 'v t -> 'v state -> bool
(** [is seat state] is whether its state is this very one. *)

val is_given : 'v t -> bool
(** [is_given seat] is whether it was given something. *)

val given : 'v t -> 'v option
(** [given seat] is what that is. *)
