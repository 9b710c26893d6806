(** How long the collector stopped the program, read from the runtime's own events.

    A pause is a stretch of time that one domain spends inside the collector, or waits for other
    domains to join it there. Recording them costs a little: do it in a run of its own, not in one
    that is timed. *)

type t = {
  count : int;  (** pauses *)
  largest : float;  (** seconds *)
  p99 : float;  (** seconds; 99 of 100 pauses are at most that long *)
  share : float;  (** time in pauses, as a fraction of the time of all domains *)
  histogram : int array;
      (** how many lasted at least {!bounds}[.(i)], but less than twice that; the last: or longer *)
  lost : int;  (** events that the runtime overwrote before they were read; the figures miss these *)
}
(** The type for what was seen. *)

val bounds : float array
(** [bounds] divides pauses by their length, in seconds; it begins with a microsecond. *)

val none : t
(** [none] is a run without pauses. *)

val observe : domains:int -> int -> (unit -> 'a) -> 'a array * t
(** [observe ~domains n f] is the results of [n] calls of [f], and the pauses on all domains
    meanwhile; [domains] is how many of them the time of [f] is reckoned for. To be called from the
    main domain, one at a time. *)
