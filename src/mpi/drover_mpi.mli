(** Programs on many machines, or in many processes of one.

    A {e rank} is a process with its own heap, garbage collector and Drover pool. On one machine,
    ranks need nothing else: the program starts copies of itself. On several machines, an MPI
    launcher starts them, and MPI carries their messages.

    Every rank runs the program from its beginning up to {!run}. There rank 0, the {e leader}, goes
    on with the program, and the others compute for it until {!run} ends; then they exit. So code
    before {!run} is executed in every rank, and code after it only in rank 0.

    {b What can be sent.} [Marshal] copies values, and functions with the values that they refer to.
    So a rank does not see what another rank modifies. What belongs to one process cannot be sent:
    channels, mutexes, open files, abstract values of C. All ranks must run the same binary; another
    one is refused.

    A task that waits here suspends, and its worker runs other tasks. *)

(** {1 Ranks} *)

val run : ?ranks:int -> ?domains:int -> (unit -> 'a) -> 'a
(** [run f] is [f ()] in rank 0, while the other ranks wait for work. It begins when all ranks have
    reached it, and ends them when [f] has ended. Under an MPI launcher, such as
    [mpirun -n 4 PROGRAM] or [srun], it uses the launcher's ranks. Otherwise the program starts
    [ranks - 1] copies of itself, with the same arguments and no standard input, in the directory
    where it began itself; or, if that cannot be entered any more, where it is now. They end with
    it, even if it is killed; on systems other than Linux, only once what they compute allocates or
    comes to another iteration of a loop. The default of [ranks] is the environment variable
    [DROVER_RANKS], or else the number of processors. [domains] is the number of domains of each
    rank: by default the number of processors divided by the number of ranks on this machine, or
    what the launcher has assigned to a rank.

    Call it outside any task. In rank 0 it suspends or blocks; in the others it does not return.
    Raises [Invalid_argument] if [ranks < 1] or [domains < 1], or inside another [run]. Raises what
    [f] raises, with its backtrace; [run] turns on the recording of backtraces. *)

val mpi : string option
(** [mpi] is the name and version of the MPI library that this library was built with, if any. *)

val rank : unit -> int
(** [rank ()] is the number of this rank, from 0. From anywhere inside {!run}; never waits. Raises
    [Invalid_argument] elsewhere. *)

val size : unit -> int
(** [size ()] is the number of ranks, including those that have ended. From anywhere inside {!run};
    never waits. Raises [Invalid_argument] elsewhere. *)

(** {1 Failures} *)

type failure = {
  item : int option;  (** the item of a map, from 0 *)
  rank : int;  (** the rank where it failed *)
  message : string;
      (** the exception as text, because exceptions lose their identity when they are sent *)
  backtrace : string;  (** the exception's backtrace *)
}
(** The type for failures in any rank. *)

exception Failed of failure
(** [Failed failure] is raised by {!map} and the functions like it for an item that has failed. *)

exception Rank_ended of { rank : int; reason : string }
(** [Rank_ended {rank; reason}] is raised by waiting for a message of a rank that has ended. *)

exception Mpi_error of string
(** [Mpi_error message] is raised when a call of MPI fails; the message is MPI's. *)

(** {1 Load-balanced maps}

    Ranks get items when they run out of them, in pieces that shrink (guided self-scheduling). Each
    rank computes a piece on all its domains while the next piece is on its way. Rank 0 computes too
    if there are at most 64 ranks. Only rank 0 may call these functions, and not inside an item;
    several of its tasks may do so at once. They suspend or block until all items have ended.

    What an item may call does not depend on its rank: all of Drover, and {!val-rank} and {!size};
    the other functions here raise [Invalid_argument], also in rank 0. What it modifies is seen in
    its rank only.

    An item fails when its function raises, when its result cannot be sent, or when its rank ends
    while it may have been computing it. Items that were waiting there go to other ranks. A failed
    item is computed again, on any rank, up to [retries] times (default: 0). After that,
    [on_error failure] is its result; by default that raises {!Failed}. When a function raises,
    items that have not begun are skipped, and those that run in other ranks are ignored. If there
    are other ranks, an item that cannot be sent raises [Invalid_argument] with its number,
    whichever rank has got it; so rank 0 marshals its own items, too.

    [journal] is the name of a file. Each result is on disk once its item has ended, and items whose
    results are in the file are not computed again. So if a job is killed, start it again, and it
    continues where it stopped. Results of [on_error] are not kept. An incomplete last record is
    removed. A damaged one costs itself only: its bytes stay in the file, a line on [stderr] says
    so, and its item is computed again. One map at a time writes a journal: an empty file beside it,
    with [.lock] behind its name, has the lock, and may stay there when a job is killed. Raises
    [Failure] if the file is the journal of another program, input or function, is in use by another
    map or job, is no journal, or if the system cannot write it.

    Journals are trusted, and so are ranks: [Marshal] reads what comes from them, after the digest
    of a record was checked against accidents. Who can write the file can make the program do
    anything. *)

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
(** [stream f items each] calls [each i (f items.(i))] in rank 0 as results arrive, one at a time
    and in any order; those in the journal come first. The calling task calls [each], which may
    wait. *)

val reduce :
  ?retries:int ->
  ?journal:string ->
  init:'b ->
  combine:('b -> 'b -> 'b) ->
  ('a -> 'b) ->
  'a array ->
  'b
(** [reduce ~init ~combine f items] is [init] combined with [f item] for each item, in order.
    [combine] must be associative. The items are divided into at most 1024 blocks, which depend only
    on their number. What is said above of an item holds for a block: it has one result, and is
    computed again as a whole. So the result is the same on any number of ranks, even for an
    operator that is only nearly associative, such as the addition of floats. *)

(** {1 One function on all ranks} *)

val everywhere : (unit -> 'a) -> 'a array
(** [everywhere f] calls [f] in each rank, and is the array of the results, by rank. To use all
    domains of a rank, [f] calls Drover's functions. Only rank 0 may call [everywhere], and not
    inside an item of a map. Suspends or blocks until all calls have returned.

    Inside [f], ranks may wait for each other. So if [f] raises in one rank, if its result cannot be
    sent, or if a rank ends, the whole program ends: it prints what has happened on [stderr], and
    exits with a code other than 0. Raises {!Rank_ended} if a rank has ended before. *)

(** {2 Between ranks}

    The functions below may be called inside {!everywhere}, in all ranks. All ranks must call the
    collectives in the same order; so only one task of a rank may call them at a time. A task that
    waits suspends, and other tasks of its rank run. All raise [Invalid_argument] outside
    {!everywhere}, and for a rank that does not exist. *)

val barrier : unit -> unit
(** [barrier ()] waits until all ranks have called it. *)

(** Messages and collectives for values of any type, except those that cannot be sent. As with
    [Marshal], it is up to you that the types at both ends match: annotate a value that you receive
    with its type.

    {!Values.recv} and the collectives raise {!Rank_ended} if a rank that they wait for has ended.
*)
module Values : sig
  val send : ?tag:int -> int -> 'a -> unit
  (** [send rank v] sends [v] to [rank]. Waits until it has left, which may be before it is
      received. Messages from one rank with one [tag] (default: 0) arrive in order. Raises
      [Invalid_argument] if [tag] is not from 0 to 8191, or if [v] cannot be sent. *)

  val recv : ?tag:int -> int -> 'a
  (** [recv rank] is the next message from [rank] with that tag. Waits until there is one. If it
      raises because the task is cancelled, it has received nothing. *)

  val broadcast : root:int -> (unit -> 'a) -> 'a
  (** [broadcast ~root f] is, in every rank, the value of [f ()] in [root]; other ranks do not call
      [f]. *)

  val scatter : root:int -> (unit -> 'a array) -> 'a
  (** [scatter ~root f] is, in rank [i], element [i] of the array [f ()] in [root], which must have
      one element for each rank. *)

  val gather : root:int -> 'a -> 'a array
  (** [gather ~root v] is, in [root], the array of each rank's [v], and [[||]] in other ranks. *)

  val all_gather : 'a -> 'a array
  (** [all_gather v] is, in every rank, the array of each rank's [v]. *)

  val reduce : root:int -> combine:('a -> 'a -> 'a) -> 'a -> 'a option
  (** [reduce ~root ~combine v] is, in [root], [Some] of the values of all ranks, combined in the
      order of ranks, and [None] in other ranks. [combine] must be associative. *)

  val all_reduce : combine:('a -> 'a -> 'a) -> 'a -> 'a
  (** [all_reduce ~combine v] is, in every rank, the values of all ranks combined, as by {!reduce}.
  *)

  val all_to_all : 'a array -> 'a array
  (** [all_to_all vs] is, in rank [i], the array of element [i] of each rank's [vs], by rank. *)
end

(** The same functions for arrays of numbers, which they receive into existing arrays. MPI transfers
    them directly from memory to memory; arrays of less than 2 KB are copied once. Until the
    function returns, do not modify an array that is sent, and do not read or modify one that is
    received into. A cancellation takes effect when the function has finished.

    All raise [Invalid_argument] if lengths do not match; with MPI, {!Mpi_error} if a message is
    longer than expected. *)
module Numbers : sig
  type t
  (** The type for arrays of numbers of any kind. *)

  type op = Sum | Product | Min | Max  (** The type for element-wise operators of reductions. *)

  val floats : float array -> t
  (** [floats a] is [a], not a copy. *)

  val bigarray : ('a, 'b, Bigarray.c_layout) Bigarray.Array1.t -> t
  (** [bigarray a] is [a], not a copy. For a part of a bigarray, use [Bigarray.Array1.sub]; for one
      with more dimensions, [Bigarray.reshape_1], which does not copy either. *)

  val send : ?tag:int -> int -> t -> unit
  (** [send rank t] sends [t], as {!Values.send} does. These messages and those of values do not
      mix. *)

  val recv : ?tag:int -> int -> t -> unit
  (** [recv rank t] receives into [t]. *)

  val broadcast : root:int -> t -> unit
  (** [broadcast ~root t] copies [t] of [root] into [t] of every other rank. *)

  val scatter : root:int -> t -> t -> unit
  (** [scatter ~root from into] copies part [i] of [root]'s [from] into rank [i]'s [into]. *)

  val gather : root:int -> t -> t -> unit
  (** [gather ~root from into] copies rank [i]'s [from] into part [i] of [root]'s [into]. *)

  val all_gather : t -> t -> unit
  (** [all_gather from into] copies rank [i]'s [from] into part [i] of every rank's [into]. *)

  val reduce : root:int -> op -> t -> t -> unit
  (** [reduce ~root op from into] stores in [root]'s [into] the numbers of all ranks, combined by
      [op]. For floats, and for integers of 32 bits or more; raises [Invalid_argument] for others.
  *)

  val all_reduce : op -> t -> t -> unit
  (** [all_reduce op from into] is {!reduce}, but stores the result in every rank's [into]. *)

  val all_to_all : t -> t -> unit
  (** [all_to_all from into] copies part [i] of rank [j]'s [from] into part [j] of rank [i]'s
      [into]. *)
end
