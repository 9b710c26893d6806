(** The races that were found: one for each pair of sites. *)

type access = { is_write : bool; site : Sites.t; way : Order.way option }
(** The type for one of two accesses, and the way to the strand that made it. *)

val add : access -> access -> unit
(** [add earlier later] is one more race between these. *)

val add_locked : access -> access -> unit
(** [add_locked earlier later]: these are no race, as both hold a lock; but which comes first is not
    said. *)

val count : unit -> int
(** [count ()] is how many pairs of sites race that are not known. *)

val read_known : string -> unit
(** [read_known file]: the races that [file] names are known, and are not reported. *)

val write_known : string -> unit
(** [write_known file] writes [file] so that it names all that were found. *)

val pairs : unit -> (Sites.t * Sites.t) list
(** [pairs ()] is the sites of each, the earlier access first. *)

val forget : unit -> unit
(** [forget ()] forgets all of them. *)

val print : Format.formatter -> unit
(** [print ppf] prints all of them, those with most races first. *)

val print_json : accesses:int -> unseen:string list -> has_threads:bool -> Format.formatter -> unit
(** [print_json ~accesses ~unseen ~has_threads ppf] prints them as JSON, and that there were so many
    [accesses], that modules were called that nothing is known of, and whether threads were made. *)
