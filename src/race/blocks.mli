(** Tables whose keys are blocks of memory: the blocks themselves, whatever they hold. *)

type 'a t
(** The type for tables with values of type ['a]. They keep their keys. *)

val create : 'a -> 'a t
(** [create nothing] is an empty table, where [nothing] stands for no value. *)

val find_or_add : 'a t -> Address.block -> (unit -> 'a) -> 'a
(** [find_or_add t b make] is the value of [b]; [make ()], if it had none. Work: O(1), expected. *)

val clear : 'a t -> ('a -> unit) -> unit
(** [clear t let_go] removes all, and calls [let_go] for each value. *)

val count : 'a t -> int
(** [count t] is how many keys [t] has. *)

val keep_live : 'a t -> ('a -> unit) -> unit
(** [keep_live t let_go] removes the keys that nobody else refers to, and calls [let_go] for their
    values. Work: a full collection. *)
