(* The interface of Domainslib 0.5.2, in our own words: what both libraries must agree with. *)

module type Task = sig
  type 'a task = unit -> 'a
  type !'a promise
  type pool

  val setup_pool : ?name:string -> num_domains:int -> unit -> pool
  val teardown_pool : pool -> unit
  val lookup_pool : string -> pool option
  val get_num_domains : pool -> int
  val run : pool -> 'a task -> 'a
  val async : pool -> 'a task -> 'a promise
  val await : pool -> 'a promise -> 'a

  val parallel_for :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> pool -> unit

  val parallel_for_reduce :
    ?chunk_size:int ->
    start:int ->
    finish:int ->
    body:(int -> 'a) ->
    pool ->
    ('a -> 'a -> 'a) ->
    'a ->
    'a

  val parallel_scan : pool -> ('a -> 'a -> 'a) -> 'a array -> 'a array

  val parallel_find :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a option) -> pool -> 'a option
end

module type Chan = sig
  type !'a t

  val make_bounded : int -> 'a t
  val make_unbounded : unit -> 'a t
  val send : 'a t -> 'a -> unit
  val send_poll : 'a t -> 'a -> bool
  val recv : 'a t -> 'a
  val recv_poll : 'a t -> 'a option
end

(* What koonwen/domainslib adds. *)
module type Task_with_promise = sig
  include Task

  val promise : unit -> 'a promise * ('a -> unit)
end
