(** Call sites: the places in a program that fork, loop or start tasks, by number. A place is in the
    innermost function of the program's own. Any thread; never waits. *)

val find : unit -> int option
(** [find ()] is that of the caller; [None] if its stack says nothing. *)

val outermost : int
(** [outermost] is outside any of them. *)

val place : int -> string
(** [place site] is the function, file and line of [site]. *)

val forget_all : unit -> unit
(** [forget_all ()] begins to number anew, when nobody looks for sites. *)
