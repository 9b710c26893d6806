(** Folders that exist for the duration of a call. *)

val temporary : (string -> 'a) -> 'a
(** [temporary f] is [f path], where the folder [path] is empty at first. *)

val with_tree : (string * string) list -> (string -> 'a) -> 'a
(** [with_tree files f] is the same with [files] in it, pairs of a path below it and a text. *)
