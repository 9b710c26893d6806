(** Elements picked from an array, in order. *)

val offsets : int array -> int
(** [offsets counts] is the sum of all, and turns each into the sum of those before it. *)

type marks
(** The type for which elements of an array are kept. *)

val mark_elements : ('a -> bool) -> 'a array -> marks
(** [mark_elements keep a] keeps the elements that satisfy [keep], which is called once for each, in
    parallel. Raises what [keep] does. *)

val mark_places : int -> (int -> bool) -> marks
(** [mark_places n keep] keeps those of the places 0..n-1 that satisfy [keep], likewise. *)

val select : marks -> bool -> 'a array -> 'a array
(** [select m wanted a] is the elements of [a], as long as [m] was made for, that are kept, or are
    not if [wanted] is [false]. *)
