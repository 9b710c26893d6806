(** What a file declares, and what its rewritten form needs of the runtime: sites and labels. *)

open Ppxlib

val last : Longident.t -> string
(** [last path] is the last name of [path]. *)

val start : structure -> unit
(** [start str] begins with a file, which is [str]. *)

val resolve : Longident.t -> string list
(** [resolve path] is the path of a module without [Stdlib], and with the modules for which the file
    has other names; [[]] if it is one of the file's own. *)

val of_domainslib : Longident.t -> string option
(** [of_domainslib path] is the module of Domainslib's interface that [path] is. *)

val makes_thread : Longident.t -> bool
(** [makes_thread path] is whether [path] is [Thread.create]. *)

val opened : unit -> string list option
(** [opened ()] is the module that plain names such as [get] are of: [Array], [Bytes] or
    [Float.Array], where the file opens that. *)

(** {1 Types} *)

type arguments =
  | Inline of int
  | Values
  | Unknown
      (** The type for what a constructor has: a record of its own with so many fields; others; or
          the file does not declare it. *)

val arguments : Longident.t -> arguments
(** [arguments c] is that of the constructor [c]. *)

val may_be_mutable : Longident.t -> bool
(** [may_be_mutable field] is [false] if the file declares [field], and always immutable. *)

val defines : string -> bool
(** [defines name] is whether the file has a variable [name] anywhere. *)

(** {1 The runtime} *)

val site : loc:location -> string -> expression
(** [site ~loc what] is the site of what is done at [loc]. *)

val label : loc:location -> string -> expression
(** [label ~loc name] is the label of a field. *)

val variable : loc:location -> string -> expression
(** [variable ~loc name] is the label of an instance variable. *)

val prelude : unit -> structure
(** [prelude ()] is what is to stand before the file. *)
