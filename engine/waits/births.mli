(** Births of Drover's domains, which none of the callbacks interrupts that other domains have left
    when they ended. *)

val spawn : keep:(unit Domain.t -> unit) -> (unit -> unit) -> bool
(** [spawn ~keep live] makes a domain that does [live ()], and [keep]s it; [false] if there is no
    room for another one. The domain is born with all signals blocked, so that not even its first
    steps run a handler. Waits for domains that are about to end; some milliseconds, seldom. *)

val prepare_end : unit -> unit
(** [prepare_end ()] is the last that a domain does which Drover ends: waits until no domain is
    being born. *)
