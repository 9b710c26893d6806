(** How a caller goes through a list, and others take what it has not begun.

    Any thread; suspends, and raises, as [Spread.share] does. *)

type 'r walk
(** The type for the caller's way; its part of the list comes to an ['r]. *)

val none : 'r walk -> 'r
(** [none w] is what no elements come to. *)

val claim : _ walk -> int
(** [claim w] claims the next elements, and is how many; 0 if the caller is to stop. *)

val claim_blocks : _ walk -> int -> int
(** [claim_blocks w size] is the same for blocks of [size] elements. *)

val split :
  'a list ->
  none:(unit -> 'r) ->
  ('r walk -> int -> int -> 'a list -> 'r) ->
  (int -> 'a array -> 'r) ->
  ('r -> 'r -> 'r) ->
  'r
(** [split l ~none through by_array join] is what all elements come to. [through w i left l] goes
    through [left] elements of [l], which begins with the element [i], and then what [w] can claim;
    [by_array i a] goes through all of [a]. *)

val split_by :
  (int -> int) ->
  int ->
  'a list ->
  none:'r ->
  ('r walk -> int -> int -> 'a list -> 'r) ->
  again:(int -> 'a list -> 's) ->
  (int -> 'a array -> 's) ->
  ('r -> 's -> 'r) ->
  'r
(** [split_by start i l ~none through ~again by_array join] is the same by blocks, the first of
    which is [i]; the block [i] begins with the element [start i]. [again i l] goes through all of
    [l], where its elements are so cheap that an array does not pay. *)
