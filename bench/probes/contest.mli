(** Structures that do the same operations, side by side. *)

(** Who does the operations: one thread, or the tasks of a parallel loop on one and two domains. *)
type engine = In_turn | In_parallel

type subject
(** The type for structures with operations to do. *)

val subject :
  engine ->
  string ->
  ?undo:(unit -> unit) ->
  ?batches:(unit -> int array) ->
  length:(unit -> int) ->
  (unit -> unit) ->
  subject
(** [subject engine name ~undo ~batches ~length work] is the structure that [work] changes, which
    [undo] makes what it was, and whose length is [length ()]. [batches ()] is how many batches it
    has processed, by their size: from 1, from 2, from 4 and so on. *)

val singly : int -> (int -> unit) -> unit -> unit
(** [singly n f ()] is [f 0], ..., [f (n - 1)]. *)

val by_tasks : int -> (int -> unit) -> unit -> unit
(** [by_tasks n f ()] is the same as a parallel loop. *)

val locked : ('a -> 'b) -> 'a -> 'b
(** [locked f] is [f] behind a mutex of its own. *)

val unbatched :
  ?sequential:string ->
  ?lock:string ->
  ?undo:(unit -> unit) ->
  length:(unit -> int) ->
  int ->
  (int -> unit) ->
  subject list
(** [unbatched ~sequential ~lock ~undo ~length n f] is a structure without batches on which [f]
    operates: one thread by itself, and tasks that hold a lock for each operation, by these names
    (default: ["sequential"] and ["lock"]). *)

val batched :
  ?undo:(unit -> unit) ->
  batches:(unit -> int array) ->
  length:(unit -> int) ->
  int ->
  (int -> unit) ->
  all:(unit -> unit) ->
  subject list
(** [batched ~undo ~batches ~length n f ~all] is a batched structure: tasks that submit [f 0], ...,
    [f (n - 1)] one by one, called ["implicit"], and [all ()], which hands them in as a whole,
    called ["explicit"]. *)

val in_turn : subject list -> subject list
(** [in_turn subjects] is those of one thread. *)

val batch_lengths : int list
(** [batch_lengths] is how long the batches of {!in_batches} are. *)

val of_length : int -> string
(** [of_length k] is the name of the subject with batches of [k]. *)

val in_batches :
  ?undo:(unit -> unit) ->
  length:(unit -> int) ->
  int ->
  (int -> 'op) ->
  apply:('op array -> unit) ->
  subject list
(** [in_batches ~undo ~length n operation ~apply] is a batched structure, for each of
    {!batch_lengths}, which one task hands [operation 0], ..., [operation (n - 1)] in batches. *)

type t = { operations : int; length_after : int; rounds : int }
(** The type for contests: how many operations the work of a subject is, how long its structure is
    then, and how often it is measured. *)

exception Wrong of string
(** A structure did not have the length it should have. *)

type result
(** The type for speeds. *)

val measure : t -> (unit -> subject list) list -> result list
(** [measure contest groups] measures the subjects of a group by turns, one group after the other,
    such that a group's structures need not be in memory before or after. Raises {!Wrong}. *)

val figures : result list -> Drover_harness.Probe.figure list
(** [figures results] is the operations a millisecond, medians, and the batches of the last round by
    their size. *)

val has : result list -> string -> bool
(** [has results name] is [true] iff there is a subject of that name. *)

val speed : result list -> string -> int -> float
(** [speed results name domains] is the operations a millisecond. Raises [Not_found] if there is no
    such subject. *)
