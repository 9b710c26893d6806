(** Parmap's programming interface, on Drover: domains instead of processes.

    To move a program from {{:https://github.com/rdicosmo/parmap} Parmap} to Drover, replace
    [parmap] by [drover.parmap] in its dune file. This module has every value of Parmap 1.2.5 with
    its type. What a process does is done by a {e rank}, which is a task of the caller's pool; so
    nothing is forked or marshalled, and results are the values themselves. But ranks share the
    program's memory: {!page-processes} says which programs rely on the contrary. A program cannot
    link both libraries.

    Where nothing else is said, a function may be called from anywhere: also in a domain, in a
    program that has spawned one, and in a rank. It suspends its task or blocks the calling thread
    until all ranks have ended. There are never more ranks at work than the pool has workers. *)

(** {1 Ranks} *)

val set_default_ncores : int -> unit
(** [set_default_ncores n] makes [n] the number of ranks of calls without [~ncores]. From any
    domain; never waits. *)

val get_default_ncores : unit -> int
(** [get_default_ncores ()] is what {!set_default_ncores} has set, or else the number of the pool's
    workers, but at least 2. Starts the default pool if it is needed for that. Never waits. *)

val get_ncores : unit -> int
(** [get_ncores ()] is the number of ranks of the call that the caller is a rank of; outside of
    ranks, that of the latest call. Never waits. *)

val get_rank : unit -> int
(** [get_rank ()] is the number of the rank that the caller is in, from 0, or -1 outside. A task
    that a rank starts is in that rank. Never waits. *)

val disable_core_pinning : unit -> unit
(** Does nothing: no domain is pinned to a processor. *)

val enable_core_pinning : unit -> unit
(** Does nothing. *)

val set_core_mapping : int array -> unit
(** Does nothing. *)

(** {1 Maps, iterations and folds}

    All take these optional arguments.

    [ncores] is the number of ranks; there are no more than elements. Without [chunksize], each rank
    takes an equal share of the sequence, rank 0 the first one. With it, ranks take chunks of that
    many elements (the last has up to twice as many), each when it is ready for one; use it where
    some elements take longer than others. A chunk size that is not positive, or gives no more
    chunks than ranks, does not count. If [ncores <= 1] there are no ranks: the caller does all in
    turn, without [init] and [finalize].

    Each rank calls [init i] first, where [i] is its number, and [finalize ()] in the end if [init]
    has returned, even if the rank fails. No cancellation reaches these two.

    When a rank raises, the others are cancelled: they end at their next element, or earlier where
    they fork or wait. When all have ended, the first exception is raised, with its backtrace.
    Parmap raises [Failure] instead, or ends the program. An empty sequence has no ranks.

    Work: that of the serial function, plus O(n). Span: with [chunksize], that of the longest chunk
    for each round of chunks, plus O(n). *)

type 'a sequence = L of 'a list | A of 'a array  (** The type for sequences. *)

val parmap :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  ?keeporder:bool ->
  ('a -> 'b) ->
  'a sequence ->
  'b list
(** [parmap f s] is the list of [f x] for each [x] of [s], in the order of [s]. In Parmap it is so
    only if [keeporder] is [true] or there is no [chunksize]. *)

val parmapi :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  ?keeporder:bool ->
  (int -> 'a -> 'b) ->
  'a sequence ->
  'b list
(** [parmapi f s] is {!parmap}, where [f] also takes the position of the element, from 0. *)

val pariter :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  ('a -> unit) ->
  'a sequence ->
  unit
(** [pariter f s] calls [f x] for each [x] of [s]. What [f] changes in memory stays changed. *)

val pariteri :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  (int -> 'a -> unit) ->
  'a sequence ->
  unit
(** [pariteri f s] is {!pariter}, where [f] also takes the position of the element. *)

val parmapfold :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  ('a -> 'b) ->
  'a sequence ->
  ('b -> 'c -> 'c) ->
  'c ->
  ('c -> 'c -> 'c) ->
  'c
(** [parmapfold f s op first concat] is [List.fold_right op (List.map f s) first], if [first] is
    neutral and [concat] combines what [op] has made of two parts of [s]. Each rank folds its share
    from the right, and begins with a copy of [first], made by [Marshal]: so [op] may modify its
    accumulator and return it. In the end the ranks' results are concatenated with [first], from the
    right. Without [chunksize] the order of all this depends only on [ncores], so sums of floats are
    the same at each run, and the same as Parmap's; with it, [op] and [concat] must be associative
    and commutative. Raises [Invalid_argument] if [first] cannot be copied, as it holds a lock, a
    channel or the like. *)

val parmapifold :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  (int -> 'a -> 'b) ->
  'a sequence ->
  ('b -> 'c -> 'c) ->
  'c ->
  ('c -> 'c -> 'c) ->
  'c
(** [parmapifold f s op first concat] is {!parmapfold}, where [f] also takes the position of the
    element. *)

val parfold :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  ('a -> 'b -> 'b) ->
  'a sequence ->
  'b ->
  ('b -> 'b -> 'b) ->
  'b
(** [parfold op s first concat] is {!parmapfold} without a map. *)

val array_parmap :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  ?keeporder:bool ->
  ('a -> 'b) ->
  'a array ->
  'b array
(** [array_parmap f a] is [Array.map f a], in the order of [a] as {!parmap}'s. *)

val array_parmapi :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  ?keeporder:bool ->
  (int -> 'a -> 'b) ->
  'a array ->
  'b array
(** [array_parmapi f a] is [Array.mapi f a], likewise. *)

(** {1 Arrays of floats} *)

exception WrongArraySize
(** [WrongArraySize] is raised where a result or a buffer is too small for the elements. *)

type buf
(** The type for buffers that processes share. Domains need none. *)

val init_shared_buffer : float array -> buf
(** [init_shared_buffer a] is a buffer for as many elements as [a] has. It takes no memory. Never
    waits. *)

val array_float_parmap :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  ?result:float array ->
  ?sharedbuffer:buf ->
  ('a -> float) ->
  'a array ->
  float array
(** [array_float_parmap f a] is [Array.map f a]. It is stored in [result] while it is computed, if
    that is given; the elements of [result] behind it stay. Raises {!WrongArraySize}, before it
    calls [f], if [result] or [sharedbuffer] is shorter than [a]. *)

val array_float_parmapi :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?ncores:int ->
  ?chunksize:int ->
  ?result:float array ->
  ?sharedbuffer:buf ->
  (int -> 'a -> float) ->
  'a array ->
  float array
(** [array_float_parmapi f a] is {!array_float_parmap}, where [f] also takes the position of the
    element. *)

(** {1 Processes} *)

val debugging : bool -> unit
(** Does nothing: {{!page-tools} the command [drover]} shows what ranks do. *)

val redirect : ?path:string -> id:int -> unit
(** [redirect ~path ~id] raises [Invalid_argument]: ranks have one [stdout] together. Have each
    write to a channel of its own, or return what it has to say. *)
