(** Reductions by keys, by hashing. Each raises what the functions raise that it is given. *)

val reduce_by :
  ?hash:('k -> int) ->
  ?equal:('k -> 'k -> bool) ->
  combine:('v -> 'v -> 'v) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  'a array ->
  ('k * 'v) array
(** [reduce_by] is that of [Arrays]; so are the next two. *)

val count_by :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('a -> 'k) -> 'a array -> ('k * int) array

val distinct : ?hash:('a -> int) -> ?equal:('a -> 'a -> bool) -> 'a array -> 'a array

val reduce_pushed :
  ?hash:('k -> int) ->
  ?equal:('k -> 'k -> bool) ->
  combine:('v -> 'v -> 'v) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  int ->
  (int -> ('a -> unit) -> unit) ->
  ('k * 'v) array
(** [reduce_pushed ~combine key value count iter] is [reduce_by ~combine key value] of what
    [iter 0 push] to [iter (count - 1) push] push. *)

(** {1 Steps} *)

open Key_table

(** How to begin with an array. *)
type division =
  | Blocks of { blocks : Blocks.t; keys : int }
      (** each block has a table of its own, of about [keys] entries *)
  | Elements  (** each element is an entry, as most keys differ *)

val division : hash:('k -> int) -> equal:('k -> 'k -> bool) -> ('a -> 'k) -> 'a array -> division
(** [division ~hash ~equal key a] is how, which depends on the elements of [a] only. Calls [key] for
    some of them. *)

val of_blocks :
  hash:('k -> int) ->
  equal:('k -> 'k -> bool) ->
  note:(int -> int -> int -> int -> int -> unit) ->
  combine:('v -> 'v -> 'v) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  'a array ->
  Blocks.t ->
  keys:int ->
  ('k, 'v) entries array
(** [of_blocks ~hash ~equal ~note ~combine key value a blocks ~keys] is what the blocks of [a] have
    of each key: the values combined from left to right. For the block [b], which is [lo..hi], it
    calls [note b lo hi], and this for each element and the number of its entry in the block. *)

val of_elements : hash:('k -> int) -> ('a -> 'k) -> ('a -> 'v) -> 'a array -> ('k, 'v) entries
(** [of_elements ~hash key value a] has an entry for each element of [a]. *)

val before : ('k, 'v) entries array -> int array
(** [before es] is how many entries there are before each of [es], in [concat es]. *)

val concat : ('k, 'v) entries array -> ('k, 'v) entries
(** [concat es] is all of them; a key may be there more than once. *)

val merge :
  equal:('k -> 'k -> bool) ->
  join:(int -> int -> unit) ->
  ('k, 'v) entries ->
  ('k, 'v) entries * (unit -> int array)
(** [merge ~equal ~join e] is the entries of [e] that are the first with their keys, in order; and
    which of them each of [e] belongs to, if one asks. Calls [join first i] for each other entry
    [i], and the first of its key: in order for a key, in parallel for several. *)
