(** Results as one self-contained web page. *)

val to_html : Store.t -> string
(** [to_html t] is the page: tables and speed-up plots, for wide and narrow screens, light and dark.
*)

val save : string -> Store.t -> unit
(** [save file t] writes the page to [file].
    @raise Sys_error if it cannot be written. *)
