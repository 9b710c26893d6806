(** What other programs did to a sample: how much of the processors they used, and for how long our
    threads waited for one. As Linux tells. *)

type share = {
  others : float;  (** processors that others used, on average: by ticks of 10 ms *)
  waiting : float;  (** threads of ours that waited for a processor, on average *)
}
(** The type for disturbances. *)

val total : share -> float
(** [total s] is both together. *)

val is_disturbed : share -> bool
(** [is_disturbed s] is whether a sample had better be repeated. *)

val undisturbed : tries:int -> (unit -> 'a) -> 'a * share
(** [undisturbed ~tries sample] is [sample ()], repeated where it was disturbed, at most [tries]
    times in all: then it is the one that was disturbed least. A sample should last 0.1 s or longer.
*)
