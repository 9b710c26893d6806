(** A word index of a directory tree: which files hold a word, and how often. *)

type t
(** The type for indexes. *)

val lookup : t -> string -> (int * int) list
(** [lookup t word] is the numbers of the files that hold [word], in order, each with how often. *)

val words : t -> int
(** [words t] is the number of different words. *)

val serial : Text_tree.t -> t
(** [serial tree] is the index of [tree]. Words are runs of letters, digits, [_], ['] and bytes
    beyond ASCII; capital letters count as small ones.
    @raise Sys_error if a file can no longer be read. *)

val drover : Text_tree.t -> t
(** [drover tree] is the same, of ranges of files in parallel, merged. To be run in a pool.
    @raise Sys_error if a file can no longer be read. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark: the OCaml library's sources, or the tree that the user names. *)
