(** Measurements of a loop that computes on other domains, by several runners in turns.

    Each measurement of each runner is a process of its own: pools, threads and minor heaps of one
    are not there for the other. *)

val now : unit -> float
(** [now ()] is a time in seconds. *)

val fib : int -> int
(** [fib n] is the computation, serial. *)

val compute : ?fib:(int -> int) -> int -> unit -> unit
(** [compute n ()] computes [fib n]. *)

type setting = { domains : int; width : int; n : int; seconds : float }
(** The type for what the user chooses: how many domains compute, how many computations are in
    flight, what one computes, and for how long all of it. *)

val report_rate : string -> setting -> float -> unit
(** [report_rate runner s rate] prints computations a second. *)

val report_seconds : string -> setting -> float -> unit
(** [report_seconds runner s seconds] prints the time of one computation. *)

val report_lateness : string -> setting -> float list -> unit
(** [report_lateness runner s late] prints how late ticks came, in seconds each. *)

val command :
  string ->
  doc:string ->
  setting ->
  runners:'r list ->
  name:('r -> string) ->
  ('r -> setting -> unit) ->
  unit Cmdliner.Cmd.t
(** [command title ~doc defaults ~runners ~name measure] measures all runners, or those that the
    user names, several times by turns. *)
