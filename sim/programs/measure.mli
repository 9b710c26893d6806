(** What a program does on a machine. *)

type line = {
  name : string;  (** of a field, or an atomic: as ["Deque.top"] *)
  stall : int;  (** for how long processors waited for it *)
  misses : int;  (** accesses to it when another processor had it *)
  waits : int;  (** of [stall], until another had done with it *)
  failures : int;  (** of compare-and-set *)
}
(** The type for what happened at all lines of one name. *)

type t = {
  elapsed : int;
  is_right : bool;  (** its result *)
  workers : int;
  total : Drover_machine.World.account;  (** of the workers' threads *)
  collections : int;
  woken : int;  (** threads *)
  accesses : int;  (** to lines that another processor had *)
  steals : int;
  steals_in_vain : int;  (** another was faster *)
  lines : line list;  (** those that cost most come first *)
}
(** The type for measurements. Times are in nanoseconds. *)

val run :
  ?seed:int -> ?neighbours:int -> ?workers:int -> Drover_machine.Model.t -> Program.sized -> t
(** [run model p] is what [p] does with [workers], by default one for each processor of [model],
    which [neighbours] busy processes use as well. All workers have worked before, and a stretch of
    serial work lies between. It is simulated in a process of its own, so it is as if the program
    had just begun. Raises [Failure] if the simulation has no end, or its process dies. *)

val log :
  ?seed:int ->
  ?neighbours:int ->
  ?workers:int ->
  Drover_machine.Model.t ->
  Program.sized ->
  Drover_machine.Log.entry list
(** [log model p] is who did what in the same run, from its beginning to its end. *)
