(** The file in which a program's runtime writes its events: a ring for each domain.

    A program that becomes another one (exec) keeps its process number. So the runtime of the other,
    if that is OCaml's too, begins the same file anew. *)

type t
(** The type for such files, which may not be there yet. *)

val make : dir:string -> int -> t
(** [make ~dir pid] is that of the process [pid]. *)

val is_complete : t -> bool
(** [is_complete f] is [true] when the runtime has set [f] up, so that it can be read. *)

type state
(** The type for how far the main domain has written. *)

val state : t -> state option
(** [state f] is now; [None] if [f] cannot be read. *)

val is_continued : before:state option -> state option -> bool
(** [is_continued ~before now] is [false] if the file was begun anew between the two. *)
