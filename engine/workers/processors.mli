(** How many domains can run at the same time here. *)

val available : unit -> int
(** [available ()] is how many: of OCaml's recommendation, and of what containers allow, as of the
    first call or the one after {!forget_quota}. *)

val forget_quota : unit -> unit
(** [forget_quota ()]: what containers allow may have changed. *)

val most_domains : int
(** [most_domains] is how many domains this program can have at a time. *)

val default : unit -> int
(** [default ()] is how many domains a pool has if nobody says: DROVER_DOMAINS, or [available ()].
*)

val adaptive : unit -> bool
(** [adaptive ()] is whether a pool follows the load of the machine if nobody says: DROVER_ADAPTIVE,
    or else it does. *)

val cgroup_quota : root:string -> int option
(** [cgroup_quota ~root] is the processors' worth of time that the control groups of this process
    allow, rounded up. *)

val unclaimed : root:string -> int option
(** [unclaimed ~root] is how many processors of the machine no thread runs on or waits for now, the
    caller's apart; less than 0 where more threads wait. *)
