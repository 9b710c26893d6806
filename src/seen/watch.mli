(** With DROVER_DEBUG, notices tasks that keep their worker, and that nothing can run any more, and
    says so by {!Debug}. It hooks both to the engine when the program begins. *)
