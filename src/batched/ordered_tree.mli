(** Trees with the comparison that orders them: what a {!Tree_map} is, for the structures. *)

type (!'k, !'v) t

val of_tree : ('k -> 'k -> int) -> ('k, 'v) Tree.t -> ('k, 'v) t
val tree : ('k, 'v) t -> ('k, 'v) Tree.t
val comparison : ('k, 'v) t -> 'k -> 'k -> int
