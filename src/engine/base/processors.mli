(** How many domains can run at the same time here. *)

val available : unit -> int
(** [available ()] is how many: of OCaml's recommendation, and of what containers allow, as of the
    first call. *)

val most_domains : int
(** [most_domains] is how many domains this program can have at a time. *)

val default : unit -> int
(** [default ()] is how many domains a pool has if nobody says: DROVER_DOMAINS, or [available ()].
    Raises [Invalid_argument] if DROVER_DOMAINS is no number from 1 to [most_domains]. *)

val adaptive : unit -> bool
(** [adaptive ()] is whether a pool follows the load of the machine if nobody says: DROVER_ADAPTIVE,
    or else it does. *)

val cgroup_quota : root:string -> int
(** [cgroup_quota ~root] is the processors' worth of time that the control groups of this process
    allow, rounded up; [max_int] if they do not limit it. *)

(** {1 The processor time of a thread}

    As Linux counts it. Elsewhere there is none. *)

type time = {
  ran : float;  (** seconds that the thread was on a processor, since it began *)
  waited : float;  (** seconds that it could have been, and others were *)
}

val time_file : unit -> string option
(** [time_file ()] is the file in which any thread can read the time of the calling one. *)

val read_time : string -> time option
(** [read_time file] is the time of that thread; [None] if it has ended, or no descriptor is free.
*)
