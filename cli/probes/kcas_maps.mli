(** The hash table of kcas_data, made with transactions. Without that library the list is empty. *)

val hash_table : Keys.t -> unit -> Contest.subject list
(** [hash_table k ()] inserts into a hash table. *)
