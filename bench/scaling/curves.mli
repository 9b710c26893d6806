(** Plots of how programs scale. *)

val speed_ups : about:string -> Study.t list -> Drover_show.Picture.t
(** [speed_ups ~about studies] is the speed-up over the number of processors, both by powers of two,
    with the ideal. Each program has a line, or a band between the lowest and the highest of several
    estimates. *)
