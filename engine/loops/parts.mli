(** Parts of loops that are given away: to be joined by the run that has given them, or on their
    own.

    The functions that take a rest are for the run's own frame, unless they say otherwise. *)

(** {1 To give}

    In both, [body first behind] is the share of a part. They are [false] where there is nothing to
    give (see [Rest.give]), and wait for nothing. *)

val give_to_join :
  'a Rest.t -> Worker.t -> Context.t -> grain:int -> all:bool -> (int -> int -> 'a) -> bool
(** [give_to_join rest w context ~grain ~all body] has [w] give away all of [rest], or a half of it;
    the part is a fork of [context] (see [Job.part]). By the worker [w], which is that of [rest], or
    any other while the rest is open. *)

val give_alone :
  'a Rest.t -> Worker.t -> Alone.t -> Context.t -> Error_group.t -> (int -> int -> 'a) -> bool
(** [give_alone rest w alone context errors body] has [w], that of [rest], give away all of it, to
    be on its own in a task of [context]. *)

val half : grain:int -> int -> int
(** [half ~grain n] is how many of [n] iterations a half is: at least [grain]. *)

(** {1 To have them back} *)

val take_back : 'a Rest.part -> bool
(** [take_back part] is whether nobody had begun [part]; nobody will then, but for the caller. *)

val join : Error_group.t -> 'a Rest.t -> ('a -> 'a -> 'a) -> 'a -> 'a
(** [join errors rest combine share] is [share], combined with those of all parts that [rest] has
    given and that are to be joined, from left to right. Runs those that nobody has begun, and waits
    for the others. Raises what [Error_group.last_piece] does. *)

val forget : Error_group.t -> 'a Rest.t -> exn -> unit
(** [forget errors rest reason] is [join], because of [reason], where nobody wants the results. *)
