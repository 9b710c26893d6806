(** Forests of nodes that several tasks connect at a time. *)

type t
(** The type for forests. *)

val create : int -> t
(** [create n] is [n] nodes without edges. *)

val connect : t -> int -> int -> bool
(** [connect f u v] connects [u] and [v], and tells whether they were not.
*)
