(** Markup for pages of the manual. *)

val none : string
(** [none] stands in a cell for which there is nothing. *)

val table : string list -> string list list -> string
(** [table header rows] is a table. *)
