(** Pictures of probes that measure operations a millisecond, of several structures on one and more
    domains. *)

val pictures : Probe.outcome -> (string * Drover_show.Picture.t) list
(** [pictures o] is a picture for each kind of operations of [o], with its title; none if [o] has
    fewer than three such rates. *)
