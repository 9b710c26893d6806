(** Select: waits at several channels for what comes first. Documented at {!Chan}. *)

type 'r case

val receiving : 'a Passing.t -> ('a -> 'r) -> 'r case
val sending : 'a Passing.t -> 'a -> (unit -> 'r) -> 'r case
val select : 'r case list -> 'r
