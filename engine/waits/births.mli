(** Births of Drover's domains, which none of the callbacks interrupts that other domains have left
    when they ended. *)

val spawn : keep:(unit Domain.t -> unit) -> (unit -> unit) -> bool
(** [spawn ~keep live] makes a domain that does [live ()] and ends, and [keep]s it; [false] if there
    is no room for another one. The domain is born with all signals blocked, so that not even its
    first steps run a handler. Seldom waits, some milliseconds, for domains that end. *)

val prepare_end : unit -> unit
(** [prepare_end ()] is the last that another domain does before it ends, if it has just made one:
    waits until none is being born, though for no more than some seconds. *)

val has_ended : Domain.id -> unit
(** [has_ended domain]: it was joined. *)

val leaves_finalisers : unit -> unit
(** [leaves_finalisers ()]: the calling domain is about to end, and has some. *)
