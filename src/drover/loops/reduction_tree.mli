(** In which order the values of a reduction are combined, whoever has computed them: as in a tree
    that depends on their number only. *)

type 'a segment = { first : int; stop : int; value : 'a }
(** The type for the values of the indices [first .. stop - 1], combined. *)

type 'a share = 'a segment list
(** The type for what a run of a loop has computed, leftmost first. No two segments that follow each
    other belong together yet. *)

val block : int -> int
(** [block n] is the length of the blocks, which are folded from the left, for [n] values; [n <= 0]
    stands for more than [max_int]. A power of two, at least 2. *)

val join : int -> ('a -> 'a -> 'a) -> 'a share -> 'a share -> 'a share
(** [join block combine share behind] is the share of both runs, of which [behind] is of the second.
*)

val value : ('a -> 'a -> 'a) -> 'a share -> 'a
(** [value combine share] is the value of all, whose share that is. *)
