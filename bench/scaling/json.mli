(** How programs scale, as JSON. *)

val of_studies : (string * Yojson.Safe.t) list -> Study.t list -> Yojson.Safe.t
(** [of_studies settings studies] is the settings, and of each program its runs. Times are in
    nanoseconds; those of the workers are of all together. *)
