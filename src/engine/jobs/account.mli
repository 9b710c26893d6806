(** The memory of a scope that has limits. Any thread; nothing here waits, but a check may collect
    garbage. *)

(** Words of the heap, which is the whole program's, or of all that the scope's code allocates. *)
type limit = Heap of int | Allocated of int

exception Exceeded of { limit : limit; used : int }

type t
(** The type for accounts, each of one scope. *)

val none : t
(** [none] is of code without limits. *)

val create : outer:t -> ?heap:int -> ?allocated:int -> (exn -> unit) -> t
(** [create ~outer ~heap ~allocated cancel] calls [cancel] with [Exceeded] when a check finds that
    more is used. What it counts, [outer] does too. *)

val finish : t -> unit
(** [finish a]: its scope has ended. *)

type words = { allocated : int; major : int  (** of these, in the major heap, at once or later *) }
(** The type for what a domain has allocated since it began. *)

val words : unit -> words
(** [words ()] is that of the calling domain. *)

val add : t -> since:words -> words -> unit
(** [add a ~since words] counts what the code of [a] has allocated. *)

val check : t -> unit
(** [check a] cancels the scope, and those around it, if they use too much. At a collection. *)

val is_near : t -> bool
(** [is_near a] is whether it may come to the limit of the heap before the next collection that
    happens by itself. *)
