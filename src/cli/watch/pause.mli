(** The pauses of one domain for the collector: stretches of time inside the collector's phases, or
    waiting for other domains to join them. *)

type t
(** The type for where a domain is. *)

type pause = {
  start : int;
  finish : int;
  in_minor : int;  (** the time at work in minor collections *)
  waiting : int;  (** the time spent waiting for other domains *)
}
(** The type for pauses; all in nanoseconds. *)

val holds_up : Runtime_events.runtime_phase -> bool
(** [holds_up phase] is [false] for the phases in which a domain is asleep. *)

val create : unit -> t
(** [create ()] is outside any phase. *)

val begins : t -> int -> Runtime_events.runtime_phase -> unit
(** [begins t at phase] enters a phase. *)

val ends : t -> int -> Runtime_events.runtime_phase -> pause option
(** [ends t at phase] leaves a phase, and is the pause that this ends, if it was the outermost one.
    An end without a begin counts for nothing. *)

val finish : t -> int -> pause option
(** [finish t at] leaves all phases, and is the pause that this ends, if there is one. *)

val forget : t -> unit
(** [forget t] is for lost events. *)
