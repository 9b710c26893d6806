(** Plots of an outcome: what belongs to the first, second, ... of {!versions} has the page's first,
    second, ... colour. *)

val versions : Outcome.t -> string list
(** [versions o] is the versions that the plots show. *)

val speedup : Outcome.t -> Drover_show.Picture.t option
(** [speedup o] is a plot of each version's speed-up over the serial program against the number of
    domains, with the ideal, if [o] has more than one number of domains. *)

val pauses : Outcome.t -> Drover_show.Picture.t option
(** [pauses o] is a histogram of the collector's pauses on the most domains, by their length, if
    there were any. *)
