(** Tables of what is known of some keys. Never wait, and raise only what the functions raise that
    they are given. *)

val equal_values : 'a -> 'a -> bool
(** [equal_values x y] is [compare x y = 0]. *)

(** {1 Entries} *)

type ('k, 'v) entries = { ids : int array; keys : 'k array; values : 'v array }
(** The type for what is known of some keys, one after the other: the hash and where the first
    element with a key is, and what its elements amount to. *)

val hash_bits : int
(** [hash_bits] is how many bits of a hash are known. *)

val hashed : ('k -> int) -> 'k -> int
(** [hashed hash key] is what is known of [hash key], mixed. *)

val id : hash:int -> int -> int
(** [id ~hash i] stands in the [ids] of entries for a key that was hashed to [hash], and is first
    that of the element [i]. *)

val hash_of : int -> int
(** [hash_of id] is the hash. *)

val first_of : int -> int
(** [first_of id] is the index of the first element. *)

(** {1 Tables} *)

type ('k, 'v) t
(** The type for tables of entries. *)

val create : ?room:int -> equal:('k -> 'k -> bool) -> ('v -> 'v -> 'v) -> ('k, 'v) t
(** [create ~room ~equal combine] has no entries, and grows when there are more than [room], or 16.
*)

val add : ('k, 'v) t -> int -> 'k -> 'v -> int
(** [add t id key value] combines [value] with what there is of [key], and is the number of its
    entry. *)

val count : ('k, 'v) t -> int
(** [count t] is the number of entries. *)

val key : ('k, _) t -> int -> 'k
(** [key t i] is the key of the entry [i], below [count t]. *)

val value : (_, 'v) t -> int -> 'v
(** [value t i] is what there is of it. *)

val entries : ('k, 'v) t -> ('k, 'v) entries
(** [entries t] is all of them, in the order in which they came. *)

val wide_entries : ('k, 'v) t -> ('k, 'v) entries
(** [wide_entries t] is the same without a copy: only the first [count t] are entries. *)

val find : ('k, 'v) t -> hash:int -> 'k -> 'v option
(** [find t ~hash key] is what there is of [key], whose [hashed] is [hash], if it has an entry. *)
