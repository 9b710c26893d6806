(** Waits until one can read from a file descriptor, or write to it: a task suspends, and a thread
    blocks. Each raises [Cancelled] if the task is cancelled, and [Invalid_argument] if [select]
    cannot wait for the descriptor. *)

val wait_readable : Unix.file_descr -> unit
val wait_writable : Unix.file_descr -> unit
