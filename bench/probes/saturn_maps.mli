(** Saturn's lock-free maps. Without the library saturn the lists are empty. *)

val skip_list : Keys.t -> unit -> Contest.subject list
(** [skip_list k ()] inserts into a skip list. *)

val hash_table : Keys.t -> unit -> Contest.subject list
(** [hash_table k ()] inserts into a hash table. *)
