(** Hash tries: tables that all domains use at a time. Any thread; lock-free, but for the user's
    functions. *)

type ('k, 's) entry = { hash : int; key : 'k; mutable state : 's [@atomic] }
(** The type for entries. Each has a state, for the owner of the table. *)

type ('k, 's) t
(** The type for tables of one entry for each key. *)

val create : ?bound:int -> hash:('k -> int) -> equal:('k -> 'k -> bool) -> unit -> ('k, 's) t
(** [create ~hash ~equal ()] is empty. With [bound], it is for about as many entries at a time, and
    takes memory in proportion to that even if others come and go for ever. *)

val find : ('k, 's) t -> 'k -> ('k, 's) entry option
(** [find t k] is the entry of [k]. *)

val find_or_add : ('k, 's) t -> 'k -> 's -> ('k, 's) entry
(** [find_or_add t k state] is the entry of [k], which is added with [state] if there is none. *)

val remove : ('k, 's) t -> ('k, 's) entry -> unit
(** [remove t entry] removes [entry], if it is there. *)
