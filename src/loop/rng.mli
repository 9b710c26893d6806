(** Random numbers in parallel loops, the same ones on any number of domains.

    Each function splits the generator that it is given, before the loop begins, into one for each
    of at most 512 blocks of iterations, which depend on their number only; and the iterations of a
    block draw from theirs in order. So what is drawn follows from the state of the given generator,
    which moves on, and from the number of iterations. Only the iteration may use the generator that
    it gets, and not after it has returned. The generators are the standard library's: Steele,
    Vigna, {e LXM: better splittable pseudorandom number generators (and almost as fast)} (OOPSLA
    2021).

    In recursive programs split by hand: [let other = Random.State.split rng in] before
    [Drover.both (fun () -> f rng) (fun () -> g other)].

    Work O(n), span O(log n) and n / 512 steps. What is called how often and exceptions are as for
    [Drover.Array]. *)

val iter : Random.State.t -> int -> (Random.State.t -> int -> unit) -> unit
(** [iter rng n f] is [f r i] for [i] from [0] to [n - 1], in any order. *)

val init : Random.State.t -> int -> (Random.State.t -> int -> 'a) -> 'a array
(** [init rng n f] is [[|f r 0; ...; f r (n - 1)|]]. Raises [Invalid_argument] if [n < 0]. *)

val reduce :
  Random.State.t ->
  int ->
  init:'a ->
  combine:('a -> 'a -> 'a) ->
  (Random.State.t -> int -> 'a) ->
  'a
(** [reduce rng n ~init ~combine f] is [init] combined with [f r 0], ..., [f r (n - 1)] in this
    order. [combine] must be associative, or nearly so, as the addition of floats is. *)
