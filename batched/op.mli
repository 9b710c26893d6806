(** Operations on a map, as values.

    To hand a whole batch to a map, make an array of these and give it to the map's [apply]. The
    result of every operation is the binding that its key had before. An operation is applied once.
*)

type ('k, 'v) t
(** The type for operations on the binding of one key. *)

val find : 'k -> ('k, 'v) t
(** [find k] changes nothing. *)

val insert : 'k -> 'v -> ('k, 'v) t
(** [insert k v] binds [k] to [v], whatever it is bound to. *)

val add : 'k -> 'v -> ('k, 'v) t
(** [add k v] binds [k] to [v] if it is not bound. *)

val delete : 'k -> ('k, 'v) t
(** [delete k] removes the binding of [k], if there is one. *)

val update : 'k -> ('v option -> 'v option) -> ('k, 'v) t
(** [update k f] replaces the binding of [k] by what [f] makes of it; [None] is no binding. [f] is
    called once, by the batch; it must not use the map that the operation is for. If it raises, the
    operation fails and the binding stays. *)

val key : ('k, 'v) t -> 'k
(** [key op] is the key. *)

val result : ('k, 'v) t -> 'v option
(** [result op] is the binding that the key had just before [op] was applied. Raises what [op]
    failed with, with its backtrace, and [Invalid_argument] if [op] has not been applied. *)

(**/**)

(* For the structures. *)

val step : ('k, 'v) t -> 'v option -> 'v option
(* [step op binding] applies [op] to the binding of its key, and is what becomes of it: physically
   the same if nothing does. Never raises. *)

val check : ('k, 'v) t -> unit
(* [check op] raises what [result op] raises. *)

val fail : ('k, 'v) t -> exn -> unit
(* [fail op exn] makes [op] fail with [exn], which was just caught. *)

val is_settled : ('k, 'v) t -> bool
(* [is_settled op] is [true] iff [op] has been applied or has failed. *)

val may_add : ('k, 'v) t -> bool
(* [may_add op] is [false] if [op] cannot make a new binding. *)

(**/**)
