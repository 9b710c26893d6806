(** Arrays of values that were made just now. [Array.make], and what is built on it, makes a minor
    collection first when more than 256 words are to refer to a young value; these do not. *)

val map : ('a -> 'b) -> 'a array -> 'b array
(** [map] is [Array.map]. *)

val of_list : int -> 'a list -> 'a array
(** [of_list n items] is the first [n] of [items], which has as many. *)

val of_pieces : int -> (int -> int -> 'a array) -> 'a array
(** [of_pieces n piece] is the [n] elements of [piece first length], for adjoining pieces that are
    short enough. *)
