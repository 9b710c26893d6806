(** What commands print of a program: figures, and what to make of them. *)

val title : string Fmt.t
(** [title] prints the program's name. *)

val rows : (string * string * string) list Fmt.t
(** [rows] prints figures as lines of a value, what it is, and what explains it, if not [""]. *)

val warnings : string list Fmt.t
(** [warnings] prints what makes figures wrong, a paragraph each. *)

val advice : string list Fmt.t
(** [advice] prints what could be done, a paragraph each. *)
