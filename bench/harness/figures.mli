(** The figures that the README and the manual quote, all from one file of results. *)

val save_picture : string -> Store.t -> (unit, string) result
(** [save_picture file t] draws the speed-ups of all programs. The error says what is missing. *)

val update : string -> Store.t -> (unit, string) result
(** [update file t] renews what stands in [file], a README or a page of the manual ([.mld]), between
    the marks [<!-- figures -->] and [<!-- end of figures -->]. The error says what is missing. *)
