(** Pools for the time of a sample. A parked domain still has to stop for every minor collection, so
    that a pool that is merely there slows down what is timed: the harness keeps at most one pool
    alive. *)

val use :
  domains:int ->
  minor_heap_words:int option ->
  ('i, 'r) Kernel.engine ->
  (obtained:int -> ('i -> 'r) -> 'a) ->
  'a
(** [use ~domains ~minor_heap_words engine f] is [f ~obtained run], where [run] runs [engine] on a
    fresh pool of [domains] domains, of which there really are [obtained]. Every domain has a minor
    heap of [minor_heap_words] (default: what the engine chooses). To be called from the main
    domain, outside any pool.
    @raise Invalid_argument if [engine] is another program. *)

val initial_words : int
(** [initial_words] is the size of the program's minor heaps when it began, in words. *)

val worker_per_domain : Domainslib.Task.pool -> (unit -> unit) -> unit
(** [worker_per_domain pool f] runs [f] once on each domain of a Domainslib pool. *)
