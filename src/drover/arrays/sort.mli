(** Arrays of any values, sorted and merged. Any thread. *)

val stable : ('a -> 'a -> int) -> 'a array -> unit
(** [stable] is [stable_sort] of [Arrays]. *)

val merge : ('a -> 'a -> int) -> 'a array -> 'a array -> 'a array
(** [merge] is that of [Arrays]. *)

val grain : int
(** [grain] is beyond how many elements {!stable} sorts in parallel. *)

val copy_back : 'a array -> 'a array -> unit
(** [copy_back sorted a] stores [sorted] in [a], which is as long. *)
