(** What Domainslib leaves to its user: how large the chunks of a loop are. *)

open Domainslib

val map : Task.pool -> int -> (int -> int -> 'a) -> 'a list
(** [map pool n f] is [f lo hi] for inclusive intervals that make up [0..n-1], in order, each in a
    task of its own: eight for each domain. *)

val best : Task.pool -> int -> (int -> unit) -> int
(** [best pool n loop] is the chunk size with which [loop size] of [n] iterations takes the least
    time, of three runs: Domainslib's default, or the best of a sweep in powers of four. *)
