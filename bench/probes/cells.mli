(** Shared structures beside their rivals, as parallel loops of single operations use them.

    A cell is what such a loop is like: how many elements the structure has, how many of the
    operations look something up, how much work lies between two operations, and on how many domains
    the loop runs. *)

open Drover_harness

type subject
(** The type for what is measured: a structure of ours, or a rival. *)

type make = int -> look_ups:int -> int -> unit
(** The type for ways to make a structure. [make size] is one with [size] elements, made in a task;
    [make size ~look_ups random] is one operation on it, which [random] chooses: with a chance of
    [look_ups] percent it is one that changes nothing. *)

val ours : string -> rivals:string list -> make -> subject
(** [ours name ~rivals make] is a structure that should take at most 1.1 times the time of the best
    of [rivals]. Those that are not measured do not count. *)

val rival : string -> make -> subject
(** [rival name make] is a structure of others. *)

val serial : make -> subject
(** [serial make] is a structure that only one domain may use: to tell what sharing costs. *)

type shape = {
  rows : (string * int) list;  (** sizes, by name *)
  look_ups : int list;  (** shares, in percent *)
}
(** The type for what cells there are. *)

val by_keys : look_ups:int list -> Kernel.size -> shape
(** [by_keys ~look_ups size] has structures of a hundred to a million keys. *)

val figures : Probe.settings -> shape -> subject list -> Probe.figure list
(** [figures settings shape subjects] is a table with a row for each cell, and a column for each
    subject: nanoseconds an operation. The subjects take turns, as many as the plan has runs, or
    three with a million elements, which take long to make. Only one structure is in memory at a
    time, because the collector's work grows with what is there. To be called from the main domain,
    outside any pool. *)

val probe : name:string -> doc:string -> look_ups:int list -> subject list -> Probe.t
(** [probe ~name ~doc ~look_ups subjects] has {!figures} of {!by_keys}. *)

val of_operation : (int -> int -> unit) -> make
(** [of_operation create] is a structure with one kind of operation, [create size]. *)

val locked : ('a -> 'b) -> 'a -> 'b
(** [locked f] is [f] behind a mutex of its own. *)

val below : int -> int -> int
(** [below n random] is a number from 0 to [n - 1]. *)

val preload : int -> (int array -> unit) -> unit
(** [preload size add] calls [add] with [size] different keys below [2 * size], in ten parts of
    increasing keys, so that neighbours come to be in different places of the memory, as in a
    structure that has grown one key at a time. *)

(** {1 Maps from integers to integers} *)

type map = { find : int -> int option; insert : int -> int -> unit; delete : int -> unit }
(** The type for maps, by their operations. *)

val of_map : (int -> map) -> make
(** [of_map create] is [create size], with random keys below [2 * size]. What is no look-up inserts
    or deletes, so that about [size] keys are there. *)

val locked_map : map -> map
(** [locked_map m] is [m] behind a mutex. *)

val batched_map : map -> map
(** [batched_map m] is [m] behind a batch, as users write one. *)
