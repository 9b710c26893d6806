(** The structures of kcas_data, made with transactions. Without that library the lists are empty.
*)

val hash_table : Keys.t -> unit -> Contest.subject list
(** [hash_table k ()] inserts into a hash table. *)

val accumulator : int -> unit -> Contest.subject list
(** [accumulator n ()] adds to a counter, [n] times. *)

val hash_table_cells : (int -> Cells.map) list
(** [hash_table_cells] has the way to make a hash table. *)

val location : ('a -> (unit -> 'a) * (('a -> 'a) -> unit)) list
(** [location] has the way to make a place in memory: how to read and how to change what it holds.
*)
