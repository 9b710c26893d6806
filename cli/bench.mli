(** The command [drover bench]. *)

val cmd : int Cmdliner.Cmd.t
(** [cmd] is the command; its value is the exit code. *)
