(** How many workers of a pool are worth their processors.

    Where other programs want the processors too, workers wait for each other where they join. Then
    fewer of them may do as much, or more. So fewer are tried where workers wait for a processor and
    others search meanwhile, and all are tried again now and then.

    A value is immutable; nothing here waits. *)

type load = {
  ran : float;  (** how many processors work for the workers' tasks, searches apart *)
  spun : float;  (** how many only search for work, on average *)
  waiting : float;  (** how many workers wait for a processor, on average *)
}
(** The load of a window of time. *)

type t
(** The type for what has been found out. *)

val create : processors:int -> int -> t
(** [create ~processors members] is for so many workers. No more than [processors] of them are ever
    worth one. *)

val lately : t -> float
(** [lately t] is how many workers waited for a processor of late, on average. *)

val window : float
(** The seconds that a load should be of. *)

val step : t -> now:float -> load -> t
(** [step t ~now load] takes the load of the latest window into account, during which {!active}[ t]
    workers were active. *)

val active : t -> int
(** [active t] is how many workers should work, from 1 on. *)
