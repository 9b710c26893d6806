(** Descriptors that are to be closed if something raises. Made before the system call that opens
    one; no safepoint lies between the answer of that and {!note}. *)

type t

val none : unit -> t
(** [none ()] has no descriptor yet. *)

val note : t -> Unix.file_descr -> unit
(** [note o file] is that [o] has [file]. *)

val close : t -> unit
(** [close o] closes it, if it has one. May be called again. *)
