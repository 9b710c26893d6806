(** The functions that access what they are given: their names, and who is to be told. *)

open Ppxlib

type t = {
  arity : int;  (** how many arguments they have, none of which is labelled *)
  tell : location -> expression -> expression list -> expression;
      (** [tell loc site args] tells of the access that is about to happen, with [args], which are
          variables *)
}
(** The type for what such a function does. *)

val find : Longident.t -> t option
(** [find f] is what the function [f] of the standard library does, by whatever name; [None] if it
    accesses nothing, or the file has a function of that name. *)

val text : Longident.t -> string list -> string
(** [text f args] is the call as a report has it. *)
