(** Tells those who listen to the runtime events of a program how long its loops took, for what its
    tasks wait, and, with DROVER_SITES=1, where they do, and where they were started. It hooks to
    the engine when the program begins. *)
