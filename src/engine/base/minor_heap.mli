(** The size of the minor heap in the calling domain. *)

val size : unit -> int
(** [size ()] is its size, in words. *)

val at_least : int -> unit
(** [at_least words] makes it as large. *)

val enough : late:float -> float
(** [enough ~late] is how many seconds between two collections are enough, where one takes [late]
    seconds more than on a machine that runs all domains. *)

val most : domains:int -> int
(** [most ~domains] is how many words that of each of so many domains may have. *)

val cost_of_collection : survival:float -> float
(** [cost_of_collection ~survival] is about how many seconds a collection takes that this share of
    the minor heap survives, on a machine that runs all domains. *)

val adapt : most:int -> spent:float -> late:float -> survival:float -> bool
(** [adapt ~most ~spent ~late ~survival], after a collection, makes it larger, up to [most] words,
    if the collections that came fast have cost more of late than its pages will; whether it did. *)
