(** The text files of a directory tree. *)

type t = {
  root : string;
  files : string array;  (** paths, sorted *)
  bytes : int;  (** in all of them together *)
}
(** The type for sets of files. *)

val find : ?suffixes:string list -> ?at_most:int -> string -> (t, string) result
(** [find root] is the files under [root] that can be read and look like text: their first bytes
    hold no NUL. Hidden files and symbolic links are left out; so are files whose name has none of
    [suffixes] (default: any name is fine), and those from where on there would be more than
    [at_most] bytes. An error when there are none. *)

val ocaml_sources : ?at_most:int -> unit -> (t, string) result
(** [ocaml_sources ()] is the sources of the OCaml library that is installed here. *)
