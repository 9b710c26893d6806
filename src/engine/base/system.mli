(** What the system tells about the process and the machine. Any thread; nothing here waits. *)

val now : unit -> float
(** [now ()] is the time, in seconds that only grow, whatever becomes of the computer's date. *)

val read : string -> string
(** [read path] is the text of a short file without the space around it; empty if it cannot be read,
    or no descriptor is free. Whatever raises meanwhile, the file is closed. *)
