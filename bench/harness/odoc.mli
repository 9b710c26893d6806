(** Markup for pages of the manual. *)

val table : string list -> string list list -> string
(** [table header rows] is a table. *)
