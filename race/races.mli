(** The races that were found: one for each pair of sites. *)

type access = { is_write : bool; site : Sites.t; way : Order.way option }
(** The type for one of two accesses, and the way to the strand that made it. *)

val add : access -> access -> unit
(** [add earlier later] is one more race between these. *)

val count : unit -> int
(** [count ()] is how many pairs of sites race. *)

val pairs : unit -> (Sites.t * Sites.t) list
(** [pairs ()] is the sites of each, the earlier access first. *)

val forget : unit -> unit
(** [forget ()] forgets all of them. *)

val print : Format.formatter -> unit
(** [print ppf] prints all of them, those with most races first. *)

val print_json : accesses:int -> Format.formatter -> unit
(** [print_json ~accesses ppf] prints them as JSON, and that there were so many [accesses]. *)
