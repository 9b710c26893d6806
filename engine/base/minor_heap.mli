(** The size of the minor heap in the calling domain. *)

val size : unit -> int
(** [size ()] is its size, in words. *)

val at_least : int -> unit
(** [at_least words] makes it as large. *)

val enough : float
(** [enough] is how many seconds between two collections are enough. *)

val cost_of_collection : survival:float -> float
(** [cost_of_collection ~survival] is about how many seconds a collection takes that this share of
    the minor heap survives, on a machine that runs all domains. *)

val adapt : spent:float -> survival:float -> bool
(** [adapt ~spent ~survival], after a collection, doubles it if the collections that came fast of
    late have cost more than its pages will; whether it did. *)
