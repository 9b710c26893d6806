(** Programs on many machines, or in many processes of one.

    A {e rank} is a process with a heap and a garbage collector of its own, and a pool of Drover's
    inside. Ranks of one machine need nothing else: the program starts copies of itself. Over
    several machines an MPI launcher starts them, and MPI carries their messages.

    Every rank runs the program from its beginning. At {!run} their ways part: rank 0, the
    {e leader}, goes on with the program, and the others compute what it gives them, until {!run}
    ends; then they exit. So what stands before {!run} happens in each rank, and what stands after
    it in rank 0 only.

    {b What travels.} Values, and functions with all that they know, are copied as by [Marshal]. So
    a rank does not see what another has changed; and what belongs to one process cannot travel:
    channels, mutexes, open files, abstract values of C. The ranks must run the same program, built
    once: any other is refused.

    What waits here suspends its task, and its worker goes on with others. *)

(** {1 Ranks} *)

val run : ?ranks:int -> ?domains:int -> (unit -> 'a) -> 'a
(** [run f] is [f ()] in rank 0, with the others at its service. It begins when all have come here,
    and ends them. Under an MPI launcher, such as [mpirun -n 4 PROGRAM] or [srun], its ranks are
    taken. Elsewhere the program starts [ranks - 1] copies of itself, with the same arguments and no
    standard input; by default as many as the environment variable [DROVER_RANKS] says, or the
    machine has processors. [domains] is the number of domains of each rank: by default the
    processors divided by the ranks of this machine, or what the launcher has left to a rank.

    In rank 0 from outside any task: suspends or blocks. In the others it does not return. Raises
    [Invalid_argument] if [ranks < 1] or [domains < 1], or inside of another [run]. Raises what [f]
    raises, with its backtrace; [run] has backtraces recorded. *)

val rank : unit -> int
(** [rank ()] is the number of this rank, from 0. From anywhere inside {!run}; never waits. Raises
    [Invalid_argument] elsewhere. *)

val size : unit -> int
(** [size ()] is the number of ranks, those that have ended included. As {!val-rank}. *)

(** {1 What goes wrong} *)

type failure = {
  item : int option;  (** which item of a map, from 0 *)
  rank : int;  (** where *)
  message : string;  (** the exception, as text: exceptions do not keep their identity on the way *)
  backtrace : string;  (** where it was raised *)
}
(** The type for failures, anywhere. *)

exception Failed of failure
(** [Failed failure] is raised by {!map} and its like for an item that has failed. *)

exception Rank_ended of { rank : int; reason : string }
(** Raised where a message of a rank is waited for that has ended. *)

(** {1 Maps that balance themselves}

    Items go to ranks as these run dry, in pieces that shrink (guided self-scheduling). Each rank
    computes a piece on all its domains, rank 0 among them if there are 64 ranks at most, while the
    next one is on its way. Only rank 0 may call these functions; several of its tasks may do so at
    a time. Suspends or blocks until all items have ended.

    An item fails when its function raises, when its result cannot be sent, or when its rank ends
    while it may have been computing it; what was waiting there goes elsewhere. It is computed
    again, on any rank, [retries] times (default: 0). Then [on_error failure] is its result; the
    default raises {!Failed}. When something raises, what has not begun is skipped, and what runs
    elsewhere is left behind. An item that cannot be sent raises [Invalid_argument] with its number.

    With [journal], the name of a file, each result is on disk once its item has ended, and the
    items that are found there are not computed again. So a job that something has killed goes on
    where it stopped when it is started again. A last record that is torn is dropped. Raises
    [Failure] if the file is of another program, input or function, in use by another job, or no
    journal. What [on_error] supplies is not kept. *)

val map :
  ?retries:int -> ?on_error:(failure -> 'b) -> ?journal:string -> ('a -> 'b) -> 'a array -> 'b array
(** [map f items] is [Array.map f items], with results in order. *)

val iter :
  ?retries:int -> ?on_error:(failure -> unit) -> ?journal:string -> ('a -> unit) -> 'a array -> unit
(** [iter f items] calls [f] on each item. *)

val stream :
  ?retries:int ->
  ?on_error:(failure -> 'b) ->
  ?journal:string ->
  ('a -> 'b) ->
  'a array ->
  (int -> 'b -> unit) ->
  unit
(** [stream f items each] calls [each i (f items.(i))] in rank 0 as results come, one at a time, in
    any order; first with those of the journal. It is called by the caller, and may wait. *)

val reduce :
  ?retries:int ->
  ?journal:string ->
  init:'b ->
  combine:('b -> 'b -> 'b) ->
  ('a -> 'b) ->
  'a array ->
  'b
(** [reduce ~init ~combine f items] is [init] combined with the [f item], in order. [combine] must
    be associative. The items are cut into 1024 blocks at most, which depend on their number only,
    and a block takes the place of an item above: one value of it travels, and it is computed again
    as a whole. So the result is the same on any number of ranks, even for an operator that is only
    nearly associative, as the addition of floats is. *)

(** {1 The same on all ranks} *)

val everywhere : (unit -> 'a) -> 'a array
(** [everywhere f] calls [f] in each rank, and is the results by rank. What it computes on all
    domains it divides by Drover's functions. Only rank 0 may call it. Suspends or blocks until all
    have returned.

    The ranks may wait for each other there. So an exception that leaves [f], a result that cannot
    be sent, or a rank that ends, ends all: what has happened is printed on [stderr], and the
    program ends with a code other than 0. Raises {!Rank_ended} if a rank has ended before. *)
