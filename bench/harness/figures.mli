(** The figures that the README and the manual quote, all from one file of results. *)

val save_picture : string -> Store.t -> (unit, string) result
(** [save_picture file t] draws the speed-ups of all programs. The error says what is missing. *)

val update : string -> beside:Store.t list -> Store.t -> (unit, string) result
(** [update file ~beside t] renews what stands in [file], a README or a page of the manual ([.mld]),
    between the marks [<!-- figures -->] and [<!-- end of figures -->]. A page of the manual also
    gets what was measured in the sessions [beside] other programs (see {!Crowded}). The error says
    what is missing. *)
