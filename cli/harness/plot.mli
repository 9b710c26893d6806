(** Speed-up plots as inline SVG, coloured by the page's style sheet. *)

val speedup : Outcome.t -> string option
(** [speedup o] is a plot of each version's speed-up over the serial program against the number of
    domains, if [o] has more than one number of domains. Its lines have the classes [s0], [s1], ...
    in the order of the versions. *)

val versions : Outcome.t -> string list
(** [versions o] is the versions that {!speedup} draws, in the order of their classes. *)
