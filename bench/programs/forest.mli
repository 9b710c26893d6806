(** Forests that grow by edges: which nodes are connected already (Tarjan's
    union-find). *)

type t
(** The type for forests, and the edges that they are made of. *)

val create : int -> t
(** [create n] is [n] nodes without edges. *)

val add : t -> int -> int -> int -> unit
(** [add f e u v] adds the edge number [e] from [u] to [v], unless the two
    are connected. *)

val edges : t -> int array
(** [edges f] is the numbers of the edges that were added, in order. *)

val merge : (int -> int * int) -> t -> t -> t
(** [merge ends f g] adds the edges of [g] to [f]; [ends e] is where the
    edge [e] leads from and to. As an edge of [g]'s that [g] has left out
    would be left out of [f] as well, [f] becomes what it would be had all
    edges been added to it. *)
