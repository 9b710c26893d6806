(** Self-contained web pages: they load nothing, fit narrow and wide screens, and follow the
    reader's choice of light or dark. *)

type part = Html_types.div_content Tyxml.Html.elt
(** The type for what a page consists of. *)

val paragraph : string -> part
(** [paragraph text] is [text], escaped. *)

val section : string -> string list -> part
(** [section title texts] is a heading and a paragraph for each of [texts]. *)

val contents : string list -> part
(** [contents titles] is a list of links to the sections and tables of these titles. *)

val definitions : (string * string) list -> part
(** [definitions pairs] is a list of words and what they mean. *)

val table : ?terms:(string * string) list -> Table.t -> part
(** [table t] is [t], under its title. Whatever the header has of [terms] shows its meaning to those
    who point at it. *)

val wide : Picture.t -> part
(** [wide picture] is a picture as wide as the page. *)

val figures : (string * Picture.t) list -> legend:string list -> part
(** [figures plots ~legend] is a row of plots, each under its title, with the names of their lines
    in the order of their colours. *)

val page : title:string -> part list -> string
(** [page ~title parts] is the page. *)

val document : title:string -> style:string -> part list -> string
(** [document ~title ~style parts] is a page with a style sheet of its own, and nothing but [parts].
*)

val picture_style : string
(** [picture_style] is the style sheet of a picture that stands alone; see {!Picture.to_svg}. *)
