(** The fields that patterns read. *)

open Ppxlib

(** The type for how a value that has a field is named: as itself; or by the constructor around its
    inline record; or by a constructor whose argument may be one. *)
type holder = Itself | Inline_record | Argument

type read = { variable : string; holder : holder; field : string; loc : location }
(** The type for a read of a field of a variable. *)

type t = {
  pattern : pattern;  (** the same, with some more variables *)
  reads : read list;
  inline : (string * (string * holder)) list;
      (** variables that may be inline records, and what stands for each as a value *)
}

val reading : pattern -> t
(** [reading p] is what a match with [p] reads. *)
