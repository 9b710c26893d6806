(** The structures of kcas_data, made with transactions. Without that library the lists are empty.
*)

val hash_table : Keys.t -> unit -> Contest.subject list
(** [hash_table k ()] inserts into a hash table. *)

val accumulator : int -> unit -> Contest.subject list
(** [accumulator n ()] adds to a counter, [n] times. *)
