(** With DROVER_DEBUG, what {!Debug} keeps and says is hooked to the engine when the program begins.
*)
