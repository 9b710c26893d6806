(** What each of several equal jobs gets of what is done for all of them. *)

type t
(** The type for what is known of the jobs' progress. *)

val create : jobs:int -> total:int -> t
(** [create ~jobs ~total] is for [jobs] jobs of [total] pieces each. *)

val count : t -> int -> unit
(** [count t job] is called for each piece that is done of a job, counted from 0. Any domain. *)

val look : t -> unit
(** [look t] notes how far the jobs have come. To be called every few milliseconds, by one thread.
*)

val least : t -> float option
(** [least t] is the least that any unfinished job got in any second, as a part of its fair share of
    what was done meanwhile; [None] if {!look} was called for less than a second. *)
