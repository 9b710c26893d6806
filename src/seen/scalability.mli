(** How far a program could scale: its work and span, and the speed-up that they allow.

    The {e work} of a program is the time that one worker takes for it. Its {e span} is the time of
    the longest chain of steps that depend on each other: what infinitely many workers would take.
    Their quotient, the {e parallelism}, is the largest speed-up that any number of workers can
    reach. One run on one worker measures both: it times every strand between forks, joins and
    waits.

    A fork may lead to a steal, which takes time too. The {e burdened} span is that of the same
    program if every fork, task and level of a loop cost a steal (He, Leiserson and Leiserson, The
    Cilkview scalability analyzer, SPAA 2010). A loop counts as a balanced tree whose leaves are its
    iterations, or the pieces of a [parallel_range].

    Some effects do not show: waits for locks or messages that only occur with several workers, and
    processors that share caches and memory. A collection counts for the strand in which it happens.
    Sleeping is not work; time in a system call is. *)

type site = {
  place : string;
      (** the function, file and line; or ["outside, before "] the first of them, and so on *)
  calls : int;
  iterations : int;  (** of its loops, but for those with less than a thousand *)
  work : float;  (** seconds *)
  span : float;  (** seconds on the longest chain *)
}
(** The type for the time spent in the forks, loops and tasks that one place in the program starts,
    without those that they start in turn. What is in none of them has up to three sites: before the
    first call, between the first and the last, and after the last. *)

type t = {
  work : float;  (** seconds *)
  span : float;
  burdened_span : float;
  measuring : float;  (** seconds that it took longer because it was measured, about *)
  sites : site list;  (** the largest spans first *)
}
(** The type for measurements. *)

val measure : ?steal:float -> ?clock:(unit -> int) -> (unit -> 'a) -> 'a * t
(** [measure f] is [f ()], run in a pool of one worker, and its measurement. Pools that are created
    meanwhile have one worker too. [steal] is the cost of a steal in seconds (default:
    {!default_steal}). [clock] returns nanoseconds; by default it is a monotonic clock. Each fork
    takes a microsecond or two longer, and each iteration some ten nanoseconds; these are in
    [measuring], not in the work. Short iterations are timed together, so that the longest of them
    is known only within a microsecond or two. Suspends or blocks as {!Drover.run} does, and raises
    what [f] raises. Raises [Invalid_argument] if a measurement is in progress. *)

val default_steal : float
(** [default_steal] is ten microseconds: the time to wake a sleeping worker. *)

val parallelism : t -> float
(** [parallelism m] is [m.work /. m.span]. *)

val burdened_parallelism : t -> float
(** [burdened_parallelism m] is [m.work /. m.burdened_span]. *)

val is_outside : site -> bool
(** [is_outside s] is whether [s] is code that is in no fork, loop or task. *)

val outside : t -> float
(** [outside m] is the fraction of the work, between 0 and 1, that is in no fork, loop or task: the
    serial fraction of Amdahl's law, whose inverse no speed-up exceeds. *)

(** {1 Predictions} *)

type prediction = {
  lower : float;  (** the least to expect *)
  likely : float;
  upper : float;  (** what no scheduler exceeds *)
}
(** The type for predicted speed-ups over one worker. *)

val predict : t -> cores:int -> prediction
(** [predict m ~cores] is the speed-up to expect from [m] on [cores] cores. With work W, span S,
    burdened span B and P cores, it is at most the smaller of P and W/S. From two cores on it is at
    least W / (W/P + 1.7 B), with the coefficient that Cilkview uses, and likely W / ((W - B)/P +
    B), the time of a greedy scheduler (Brent 1974; Blumofe and Leiserson 1999). Raises
    [Invalid_argument] if [cores < 1]. *)
