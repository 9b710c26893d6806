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

val mpi : string option
(** [mpi] is the name and version of the MPI that this library was built with, if there was one. *)

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

exception Mpi_error of string
(** What MPI says when a call of it fails. *)

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

(** {2 Between ranks}

    What follows is for the function of {!everywhere}, in all ranks. A collective is called by every
    rank, in the same order: so by one task of a rank at a time. Whoever waits suspends; the other
    tasks of the rank go on. All raise [Invalid_argument] outside of {!everywhere}, and for a rank
    that does not exist. *)

val barrier : unit -> unit
(** [barrier ()] waits until all ranks have come to it. *)

(** Messages and collectives of values of any type, except what does not travel. The types at both
    ends are for the program to match, as with [Marshal]: a value that is received has a type
    annotation.

    {!Values.recv} and the collectives raise {!Rank_ended} if a rank has ended that they wait for.
*)
module Values : sig
  val send : ?tag:int -> int -> 'a -> unit
  (** [send rank v] sends [v]. Waits until it has left, which may be before it is received. Messages
      of one rank and one [tag] (default: 0) arrive in order. Raises [Invalid_argument] if [tag] is
      not from 0 to 8191, or if [v] cannot be sent. *)

  val recv : ?tag:int -> int -> 'a
  (** [recv rank] is the next message of [rank] with that tag. Waits until there is one. When it
      raises because the task is cancelled, nothing was received. *)

  val broadcast : root:int -> (unit -> 'a) -> 'a
  (** [broadcast ~root f] is in each rank what [f ()] is in [root]; the others do not call [f]. *)

  val scatter : root:int -> (unit -> 'a array) -> 'a
  (** [scatter ~root f] is in rank [i] the element [i] of what [f ()] is in [root], which has one
      for each rank. *)

  val gather : root:int -> 'a -> 'a array
  (** [gather ~root v] is in [root] what all ranks give, by rank, and [[||]] elsewhere. *)

  val all_gather : 'a -> 'a array
  (** [all_gather v] is the same in all ranks. *)

  val reduce : root:int -> combine:('a -> 'a -> 'a) -> 'a -> 'a option
  (** [reduce ~root ~combine v] is in [root] what all ranks give, combined in the order of ranks,
      and [None] elsewhere. [combine] must be associative. *)

  val all_reduce : combine:('a -> 'a -> 'a) -> 'a -> 'a
  (** [all_reduce ~combine v] is the same in all ranks. *)

  val all_to_all : 'a array -> 'a array
  (** [all_to_all vs] is in rank [i] the element [i] of what each rank gives, by rank. *)
end

(** The same for arrays of numbers, into arrays that are there. Over MPI they travel as they are,
    from memory to memory; an array of less than 2 KB is copied once. They must not change before
    the function returns, or be read, where they are written to. A cancellation is seen at the end.

    Raises [Invalid_argument] if lengths do not fit. With MPI, {!Mpi_error} if what comes is longer.
*)
module Numbers : sig
  type t
  (** The type for arrays, seen as what travels. *)

  type op = Sum | Product | Min | Max  (** The type for what reductions do, number by number. *)

  val floats : float array -> t
  (** [floats a] is [a]. *)

  val bigarray : ('a, 'b, Bigarray.c_layout) Bigarray.Array1.t -> t
  (** [bigarray a] is [a], or a part of one by [Bigarray.Array1.sub]. Those with more dimensions
      become one by [Bigarray.reshape_1], without a copy. *)

  val send : ?tag:int -> int -> t -> unit
  (** [send rank t] sends [t], as {!Values.send} does. These messages and those of values do not
      mix. *)

  val recv : ?tag:int -> int -> t -> unit
  (** [recv rank t] receives into [t]. *)

  val broadcast : root:int -> t -> unit
  (** [broadcast ~root t] makes [t] what it is in [root]. *)

  val scatter : root:int -> t -> t -> unit
  (** [scatter ~root from into] makes [into] in rank [i] the part [i] of [from] in [root]. *)

  val gather : root:int -> t -> t -> unit
  (** [gather ~root from into] makes the part [i] of [into] in [root] what [from] is in rank [i]. *)

  val all_gather : t -> t -> unit
  (** [all_gather from into] is the same in all ranks. *)

  val reduce : root:int -> op -> t -> t -> unit
  (** [reduce ~root op from into] makes [into] in [root] the numbers of all ranks, combined. Of
      floats and of integers of 32 bits or more; raises [Invalid_argument] for others. *)

  val all_reduce : op -> t -> t -> unit
  (** [all_reduce op from into] is the same in all ranks. *)

  val all_to_all : t -> t -> unit
  (** [all_to_all from into] makes the part [j] of [into] in rank [i] what the part [i] of [from] is
      in rank [j]. *)
end
