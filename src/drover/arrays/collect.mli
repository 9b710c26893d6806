(** Results of unknown number, in order. *)

type 'a t
(** The type for buffers of results, each for one piece of a loop. *)

val push : 'a t -> 'a -> unit
(** [push b x] adds [x] to [b]. *)

val pusher : 'a t -> 'a -> unit
(** [pusher b] is [push b], and allocates nothing. *)

val append : 'a t -> 'a array -> unit
(** [append b a] adds all of [a], which nobody writes any more. *)

val over : int -> ('a t -> int -> int -> unit) -> 'a array
(** [over n f] is what [f b lo hi] pushes into [b], for inclusive intervals that make up 0..n-1, as
    [Fold.over] has them. *)

val alone : ('a t -> unit) -> 'a array
(** [alone f] is what [f b] pushes into [b]. *)

val parallel_collect :
  ?grain:int -> start:int -> finish:int -> (int -> ('a -> unit) -> unit) -> 'a array
(** [parallel_collect] is [Drover.parallel_collect]. *)
