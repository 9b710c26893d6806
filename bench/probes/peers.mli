(** The structures of the libraries saturn, which are lock-free, and kcas, made with transactions,
    by the names of these. Without both libraries the lists are empty. *)

val maps : (string * (int -> Cells.map)) list
(** [maps] has the ways to make an ordered map. An insertion of a key that is there changes nothing.
*)

val tables : (string * (int -> Cells.map)) list
(** [tables] has the ways to make a hash table. *)

val places : (string * ('a -> (unit -> 'a) * (('a -> 'a) -> unit))) list
(** [places] has the ways to make a place in memory: how to read and how to change what it holds. *)
