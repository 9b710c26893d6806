(** Random numbers for parallel loops, the same on any number of domains.

    Before its loop begins, each function splits the generator that you pass into one for each block
    of iterations. There are at most 512 blocks, which depend only on the number of iterations; each
    of up to 128 iterations is one. The iterations of a block draw from its generator in order. So
    the numbers depend only on the state of the generator that you pass, which advances, and on the
    number of iterations. Only the iteration itself may use the generator that it gets, and only
    until it returns. The generators are the standard library's: Steele, Vigna,
    {e LXM: better splittable pseudorandom number generators (and almost as fast)} (OOPSLA 2021).

    A [Random.State.t] that tasks share is a data race, which OCaml does not tell: numbers repeat,
    no run is like another, and the program is slower than on one domain.

    In recursive programs, split generators yourself: [let other = Random.State.split rng in] before
    [Drover.both (fun () -> f rng) (fun () -> g other)].

    A split costs a tenth of a microsecond. Work O(n), span O(log n) plus n / 512 steps. How often
    functions are called, waits and exceptions are as in [Drover.Array]. *)

val iter : Random.State.t -> int -> (Random.State.t -> int -> unit) -> unit
(** [iter rng n f] calls [f r i] for each [i] from [0] to [n - 1], in any order. *)

val init : Random.State.t -> int -> (Random.State.t -> int -> 'a) -> 'a array
(** [init rng n f] is [[|f r 0; ...; f r (n - 1)|]]. Raises [Invalid_argument] if [n < 0], or if no
    array has that length. *)

val reduce :
  Random.State.t ->
  int ->
  init:'a ->
  combine:('a -> 'a -> 'a) ->
  (Random.State.t -> int -> 'a) ->
  'a
(** [reduce rng n ~init ~combine f] is [init] combined with [f r 0], ..., [f r (n - 1)] in this
    order. [combine] must be associative, or nearly so, such as the addition of floats. *)
