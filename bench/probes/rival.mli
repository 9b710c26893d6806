(** Rivals that are programs of their own, in other languages. [dune build @rayon @openmp] builds
    them from [bench/rayon] and [bench/openmp], where there are compilers for them. *)

type t
(** The type for such programs. *)

val find : string -> t option
(** [find name] is the program [name], such as ["rayon/forks"], if it is built. *)

val numbers : t -> string list -> float list
(** [numbers rival arguments] is what it prints, a number a line.
    @raise Failure if it prints something else, or fails. *)
