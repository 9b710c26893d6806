(** Operations on a map, as values.

    To submit a whole batch to a map, pass an array of operations to the map's [apply]. The result
    of each operation is the binding that its key had before. An operation may be applied once. *)

type ('k, 'v) t = ('k, 'v) Operation.t
(** The type for operations on the binding of one key. *)

val find : 'k -> ('k, 'v) t
(** [find k] looks up [k], and changes nothing. *)

val insert : 'k -> 'v -> ('k, 'v) t
(** [insert k v] binds [k] to [v], replacing any binding of [k]. *)

val add : 'k -> 'v -> ('k, 'v) t
(** [add k v] binds [k] to [v] if it is not bound. *)

val delete : 'k -> ('k, 'v) t
(** [delete k] removes the binding of [k], if there is one. *)

val update : 'k -> ('v option -> 'v option) -> ('k, 'v) t
(** [update k f] replaces the binding of [k] by what [f] returns for it; [None] means no binding.
    [f] is called once, by the batch, and must not use the map that the operation is for. If [f]
    raises, the operation fails and the binding stays. *)

val key : ('k, 'v) t -> 'k
(** [key op] is the key of [op]. *)

val result : ('k, 'v) t -> 'v option
(** [result op] is the binding that the key had just before [op] was applied. If [op] failed, raises
    its exception with its backtrace. Raises [Invalid_argument] if [op] has not been applied. *)
