(** Contexts: what the work in a task inherits from where it was started: whose cancellation ends
    it, its local values, and which batches it is part of. They change with the dynamic extent of
    scopes, local values and batches only. *)

(** The local values of a task, an immutable map. *)
module Locals : sig
  type t
  (** The type for maps. *)

  type 'a key
  (** The type for keys of ['a]. *)

  val empty : t
  (** [empty] has no value. *)

  val key : 'a -> 'a key
  (** [key default] is a fresh key. *)

  val add : 'a key -> 'a -> t -> t
  (** [add k v l] is [l] with [v] for [k]. *)

  val get : 'a key -> t -> 'a
  (** [get k l] is the value of [k] in [l], or its default if there is none. *)
end

type t = {
  token : Token.t;
  locals : Locals.t;
  batches : int list;  (** the objects that they belong to *)
  urgent : bool;  (** goes before other work, as what was launched for a batch does *)
  interruptible : bool;  (** at any safepoint: see [Limits] *)
  account : Account.t;  (** what it allocates goes there *)
}
(** The type for contexts. *)

val none : t
(** [none] is that of a worker between two tasks. *)

val fork : t -> t
(** [fork parent] is that of a fork, and of the part of a loop: it starts where its maker is. *)

val independent : t -> t
(** [independent parent] is that of a task that goes its own way. *)

val independent_on : (unit -> unit) -> t -> t
(** [independent_on attention parent] is the same, made where the task starts, with the attention of
    the worker that runs it. *)

val below : t -> (unit -> unit) -> t
(** [below parent attention] is that of a task that is cancelled with [parent], likewise. *)
