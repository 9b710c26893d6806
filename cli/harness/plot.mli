(** Plots as inline SVG, coloured by the page's style sheet: what belongs to the first, second, ...
    of {!versions} has the class [s0], [s1], ... *)

val versions : Outcome.t -> string list
(** [versions o] is the versions that the plots show. *)

val speedup : Outcome.t -> string option
(** [speedup o] is a plot of each version's speed-up over the serial program against the number of
    domains, with the ideal, if [o] has more than one number of domains. *)

val efficiency : Outcome.t -> string option
(** [efficiency o] is the same, each speed-up divided by the number of domains. *)

val pauses : Outcome.t -> string option
(** [pauses o] is a histogram of the collector's pauses on the most domains, by their length, if
    there were any. *)

(** {1 Shapes} *)

val across : float -> float
(** [across part] is where a part of the horizontal axis ends; [part] is between 0 and 1. *)

val up : float -> float
(** [up part] is the same for the vertical axis. *)

val line : cls:string -> float * float -> float * float -> string
(** [line ~cls p q] is a line of that class. *)

val polyline : cls:string -> (float * float) list -> string
(** [polyline ~cls points] joins the points. *)

val horizontal : float -> string -> string list
(** [horizontal part label] is a line of the grid. *)

val below : float -> string -> string
(** [below part label] is a label of the horizontal axis. *)

val svg : about:string -> string list -> string
(** [svg ~about shapes] is the picture. *)
