(** The smallest index where something happens, in parallel. *)

val map : (int -> 'a option) -> int -> 'a option
(** [map f n] is the first of [f 0 .. f (n - 1)] that is not [None]. If one before that raises, the
    first such exception is raised. [f] may be called with larger indices, too. Any thread; suspends
    as [Spread.over] does. *)
