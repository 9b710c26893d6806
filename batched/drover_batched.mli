(** Data structures whose operations are processed in batches.

    Every structure here may be used by any number of tasks, domains and systhreads at a time, one
    operation after the other as if it were a sequential one. Operations that come while others are
    being processed form a batch (see [Drover.Batch]), which is then processed in parallel. A whole
    batch may also be handed in at once: that is faster still, as nobody has to wait in between.

    A caller that is cancelled either raises [Drover.Cancelled], and nothing of what it asked for
    has been applied, or gets its results as if it were not cancelled. *)

(** {1 Maps} *)

module Hash_table = Hash_table
(** Hash tables. *)

module Op = Op
(** Operations on a map, as values. *)

module Ordered_map = Ordered_map
(** Maps in the order of their keys. Reading never waits. *)

module Skip_list = Skip_list
(** The same as skip lists, changed in place. *)

module Tree_map = Tree_map
(** Ordered maps that never change: the snapshots of the others. *)

(** {1 Other structures} *)

module Counter = Counter
(** Counters. *)

module Priority_queue = Priority_queue
(** Priority queues. *)

module Union_find = Union_find
(** Sets that only grow together. *)

module Vector = Vector
(** Vectors to append to. *)
