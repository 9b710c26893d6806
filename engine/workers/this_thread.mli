(** The calling thread. *)

val number : unit -> int
(** [number ()] is the calling thread's number, as [Thread.id] of [Thread.self], but inlined: a call
    that neither allocates nor raises, and the first field of what stands for a thread. No two
    threads of a program ever have the same. *)

val directory : unit -> string option
(** [directory ()] is the calling thread's directory of the system's, which is there as long as the
    thread; [None] where the system has none. *)
