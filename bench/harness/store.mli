(** Results as JSON. *)

type t = {
  machine : Machine.t;
  parameters : (string * string) list;  (** what the user asked for, by name *)
  kernels : Outcome.t list;
  probes : Probe.outcome list;
}
(** The type for the results of one call of the command. *)

val to_json : t -> Yojson.Safe.t
(** [to_json t] is all of [t]. Times are in seconds. *)

val save : string -> t -> unit
(** [save file t] writes [t] to [file].
    @raise Sys_error if it cannot be written. *)

val read : string -> (t, string) result
(** [read file] is what {!save} has written to [file]. The error says what is wrong with it. *)

val merge : t -> t -> t
(** [merge before now] is [now], with what only [before] has measured. *)
