(** The forms of parallelism. *)

type t = { name : string; over : int -> (unit -> unit) -> unit }
(** The type for forms: [over n body] calls [body ()] [n] times, in parallel. To be called from a
    task. *)

val trees : t list
(** [trees] is those of forks. *)

val loops : t list
(** [loops] is those over intervals, and what has such a loop within. *)

val tasks : t list
(** [tasks] is those of promises and scopes. *)

val elements : t list
(** [elements] is the functions on arrays, lists and sequences. *)

val by_keys : t list
(** [by_keys] is functions that share keys, and values, only up to eight of them at once: of more,
    the caller begins with a few alone. *)
