(** Operations on a map, for the structures. What is not documented is as in {!Op}. *)

type ('k, 'v) t

val find : 'k -> ('k, 'v) t
val insert : 'k -> 'v -> ('k, 'v) t
val add : 'k -> 'v -> ('k, 'v) t
val delete : 'k -> ('k, 'v) t
val update : 'k -> ('v option -> 'v option) -> ('k, 'v) t
val key : ('k, 'v) t -> 'k
val result : ('k, 'v) t -> 'v option

val step : ('k, 'v) t -> 'v option -> 'v option
(** [step op binding] applies [op] to the binding of its key, and is what becomes of it: physically
    the same if nothing does. Never raises. *)

val check : ('k, 'v) t -> unit
(** [check op] raises what [result op] raises. *)

val fail : ('k, 'v) t -> exn -> unit
(** [fail op exn] makes [op] fail with [exn], which was just caught. *)

val is_settled : ('k, 'v) t -> bool
(** [is_settled op] is [true] iff [op] has been applied or has failed. *)

type 'v action = Find | Insert of 'v | Add of 'v | Delete | Update of ('v option -> 'v option)

val action : ('k, 'v) t -> 'v action
(** [action op] is what [op] does to the binding of its key. *)

val become : 'v action -> 'v option -> 'v option
(** [become action binding] is what becomes of [binding]: physically the same if nothing does.
    Raises what the user's function raises. *)

val may_bind : 'v action -> bool
(** [may_bind action] is [false] if [action] cannot make a new binding. *)

val settle : ('k, 'v) t -> 'v option -> unit
(** [settle op binding] says that [binding] was there before [op]. *)
