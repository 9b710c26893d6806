(** What Domainslib leaves to its user. *)

open Domainslib

val both : Task.pool -> (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
(** [both pool f g] is the results of [f] and [g], which runs as a task
    beside it. *)

val init : Task.pool -> int -> (int -> 'a) -> 'a array
(** [init pool n f] is [[|f 0; ...; f (n - 1)|]]. *)

val fold : Task.pool -> int -> (int -> int -> 'a) -> ('a -> 'a -> 'a) -> 'a
(** [fold pool n f merge] is [f lo hi], merged, for as many intervals that
    make up [0..n-1] as there are domains: for states that are expensive. *)

val sort : Task.pool -> ('a -> 'a -> int) -> 'a array -> unit
(** [sort pool cmp a] sorts [a] by merges, with tasks down to some thousand
    elements. *)
