(** The figures that the README and the manual quote, all from one file of results. *)

val save_picture : string -> Store.t -> (unit, string) result
(** [save_picture file t] draws the speed-ups of all programs. The error says what is missing. *)

val save_page : string -> Store.t -> unit
(** [save_page file t] writes the page "Figures" of the manual. *)

val update_readme : string -> Store.t -> (unit, string) result
(** [update_readme file t] renews the table between the comments [<!-- figures -->] and
    [<!-- end of figures -->] in [file]. The error says what is missing. *)
