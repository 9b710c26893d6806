(** The first place where something happens, in parallel. *)

val search : int -> (int -> int -> 'a option) -> 'a option
(** [search n look] is what [look lo hi], a serial search of these of 0..n-1, finds first; [None] if
    [n <= 0]. If it raises where nothing has been found before, that is raised. It may look at
    places behind, too. Any thread; suspends as [Spread.over] does. *)

val find : start:int -> finish:int -> (int -> 'a option) -> 'a option
(** [find] is [Drover.parallel_find_first]. *)

val lower : int Atomic.t -> int -> unit
(** [lower earliest i] makes [earliest] [i], if that is less. *)
