(** Saturn's lock-free maps. Without the library saturn the lists are empty. *)

val skip_list : Keys.t -> unit -> Contest.subject list
(** [skip_list k ()] inserts into a skip list. *)

val hash_table : Keys.t -> unit -> Contest.subject list
(** [hash_table k ()] inserts into a hash table. *)

val skip_list_cells : (int -> Cells.map) list
(** [skip_list_cells] has the way to make a skip list. An insertion of a key that is there changes
    nothing. *)

val hash_table_cells : (int -> Cells.map) list
(** [hash_table_cells] has the way to make a hash table. *)
