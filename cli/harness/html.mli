(** Self-contained web pages: they load nothing, fit narrow and wide screens, and follow the
    reader's choice of light or dark. *)

val escape : string -> string
(** [escape s] is [s] as text of a page. *)

val element : string -> string -> string
(** [element name content] is an element without attributes. *)

val paragraph : string -> string
(** [paragraph text] is [text], escaped. *)

val section : string -> string list -> string
(** [section title texts] is a heading and a paragraph for each of [texts]. *)

val table : Table.t -> string
(** [table t] is [t], under its title. *)

val figures : (string * string) list -> legend:string list -> string
(** [figures plots ~legend] is a row of plots, each a title and an SVG element, with the names of
    their lines in the order of their colours. *)

val page : title:string -> string list -> string
(** [page ~title parts] is the page. *)
