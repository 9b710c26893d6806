(** Call sites: the sites in a program that fork, loop, wait or start tasks. A site is in the
    innermost function of the program's own: reports show sites in the users' programs, not in what
    these call. Any thread; never waits. *)

type t = string
(** The type for sites: a function, its file and the line. *)

val find : unit -> t option
(** [find ()] is that of the caller; [None] if its stack says nothing. *)

val outermost : t
(** [outermost] is outside any of them. *)

val is_own : string -> bool
(** [is_own name] is whether the function [name] is of this project's libraries or of the standard
    library. *)
