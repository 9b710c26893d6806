(** The current context of a worker: of the code that it runs. For its own thread, in a section. *)

val adopt : Worker.t -> Context.t -> unit
(** [adopt w context]: [w] runs code of this context from now on, a task's. *)

val forget : Worker.t -> unit
(** [forget w]: it is between two tasks. *)

val turn_to : Worker.t -> Context.t -> unit
(** [turn_to w context] is [adopt] in the middle of a task: what it has begun looks for a cause to
    stop. *)

val run_in : Worker.t -> Context.t -> unit
(** [run_in w context] is the same where the fiber of [context] knows [w], or is never cancelled. *)

val return_to : Worker.t -> Context.t -> unit
(** [return_to w before] ends what [run_in] began, where the caller is still [w] or not. *)
