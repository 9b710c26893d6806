(** Waits for what comes from outside. A task suspends, and a thread blocks. *)

val sleep : float -> unit
(** [sleep seconds] is as [Drover.sleep]; one of no time lets others go first. Raises [Cancelled] if
    the task is cancelled, and [Invalid_argument] if [seconds] is not a number. *)

val wait_readable : Unix.file_descr -> unit
(** [wait_readable descriptor] waits until one can read from it, or it is closed. Raises [Cancelled]
    if the task is cancelled, and [Unix_error EBADF] if the descriptor is closed already. *)

val wait_writable : Unix.file_descr -> unit
(** [wait_writable descriptor] is the same for writing. *)
