(** Undirected graphs, as the programs that walk through them need them. *)

type t = { first : int array; targets : int array }
(** The type for graphs: the neighbours of [v] are [targets.(first.(v))] to
    [targets.(first.(v + 1) - 1)], in increasing order and without [v]
    itself. *)

val nodes : t -> int
(** [nodes g] is how many nodes there are, from 0 on. *)

val degree : t -> int -> int
(** [degree g v] is how many neighbours [v] has. *)

val iter : (int -> unit) -> t -> int -> unit
(** [iter f g v] is [f u] for each neighbour [u] of [v]. *)

val rmat_edges : int -> (int * int) array
(** [rmat_edges n] is eight edges for each of [n] nodes, a power of two,
    with few nodes of many edges and many of few: Chakrabarti, Zhan,
    Faloutsos, {e R-MAT: a recursive model for graph mining} (2004). They
    are the same in every call; some are there twice, or join a node to
    itself. *)

val rmat : int -> t
(** [rmat n] is the graph of [rmat_edges n]. *)
