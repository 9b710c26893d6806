(** The local values of a task, an immutable map. *)

type t
(** The type for maps. *)

type 'a key
(** The type for keys of ['a]. *)

val empty : t
(** [empty] has no value. *)

val key : 'a -> 'a key
(** [key default] is a fresh key. *)

val default : 'a key -> 'a
(** [default k] is what it was made with. *)

val add : 'a key -> 'a -> t -> t
(** [add k v l] is [l] with [v] for [k]. *)

val find : 'a key -> t -> 'a option
(** [find k l] is the value of [k] in [l], if there is one. *)
