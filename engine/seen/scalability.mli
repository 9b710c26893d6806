(** How far a program could scale: its work and its span, and what they promise.

    The {e work} of a program is the time that one worker takes for it, and its {e span} the time of
    the longest chain of steps that must come one after the other: what infinitely many workers
    would take. Their quotient, the parallelism, is the largest speed-up that any number of workers
    can reach. Both are measured in one run on one worker: there the strands between forks, joins
    and waits are timed, one by one.

    A real fork may be a steal, and that takes time too. The {e burdened} span is that of the same
    program in which every fork, task and level of a loop costs a steal (He, Leiserson and
    Leiserson, The Cilkview scalability analyzer, SPAA 2010). A loop counts as a balanced tree, with
    its iterations, or the pieces of a [parallel_range], as leaves.

    What is not seen: time that tasks wait for locks or for each other's messages when there are
    several workers, processors that share memory and caches, and collections, which count for the
    strand in which they happen. Time asleep is no work; time in a system call is. *)

type site = {
  place : string;  (** the function, file and line, or ["outside"] *)
  calls : int;
  work : float;  (** seconds *)
  span : float;  (** seconds on the longest chain *)
}
(** The type for what was spent in the forks, loops and tasks that one place in the program starts:
    in them, but not in other ones inside of them. *)

type t = {
  work : float;  (** seconds *)
  span : float;
  burdened_span : float;
  sites : site list;  (** the largest spans first *)
}
(** The type for measurements. *)

val measure : ?steal:float -> ?clock:(unit -> int) -> (unit -> 'a) -> 'a * t
(** [measure f] is [f ()], run in a pool of one worker, and what was measured meanwhile. Pools that
    are made meanwhile have one worker too. [steal] is what a steal costs, in seconds
    ({!default_steal}); [clock] tells nanoseconds, by default of a monotonic clock. Takes a
    microsecond or two more for each fork and 0.1 us for each iteration, which are not counted.
    Suspends or blocks as {!Drover.run} does, and raises what [f] raises. Raises [Invalid_argument]
    if a measurement is in progress. *)

val default_steal : float
(** [default_steal] is ten microseconds: what it takes to wake a sleeping worker. *)

val parallelism : t -> float
(** [parallelism m] is [m.work /. m.span]. *)

val burdened_parallelism : t -> float
(** [burdened_parallelism m] is [m.work /. m.burdened_span]. *)

val outside : t -> float
(** [outside m] is the part of the work, between 0 and 1, that is in no fork, loop or task: the
    serial share of Amdahl's law, by which no speed-up exceeds its inverse. *)

(** {1 Predictions} *)

type prediction = {
  lower : float;  (** what to expect at least *)
  likely : float;
  upper : float;  (** what no scheduler exceeds *)
}
(** The type for predicted speed-ups over one worker. *)

val predict : t -> cores:int -> prediction
(** [predict m ~cores] is the speed-up that [m] promises on that many cores. With the work W, the
    span S, the burdened span B and P cores it is at most the lesser of P and W/S; from two cores on
    at least W / (W/P + 1.7 B), with the coefficient that Cilkview uses; and likely W / ((W - B)/P +
    B), the time of a greedy scheduler (Brent 1974; Blumofe and Leiserson 1999). Raises
    [Invalid_argument] if [cores < 1]. *)
