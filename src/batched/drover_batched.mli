(** Data structures whose operations are processed in batches.

    Any number of tasks, domains and systhreads may use these structures at once, as if each were a
    sequential structure whose operations come one after the other. Operations that arrive while
    others are processed form a batch (see [Drover.Batch]), which is then processed in parallel. You
    may also submit a whole batch at once: that is faster still, because nobody waits in between.

    A caller that is cancelled either raises [Drover.Cancelled], and nothing of its call has been
    applied, or gets its results as if it had not been cancelled. *)

(** {1 Maps} *)

module Hash_table = Hash_table
(** Hash tables. *)

module Op = Op
(** Operations on a map, as values. *)

module Ordered_map = Ordered_map
(** Maps in the order of their keys. Reading never waits. *)

module Tree_map = Tree_map
(** Immutable ordered maps: the snapshots of {!Ordered_map}. *)

(** {1 Other structures} *)

module Counter = Counter
(** Counters. *)

module Priority_queue = Priority_queue
(** Priority queues. *)

module Union_find = Union_find
(** Disjoint sets that are merged. *)

module Vector = Vector
(** Vectors that tasks append to. *)
