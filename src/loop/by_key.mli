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

val few : int
(** [few] is how many elements are one block at least, and how many entries are nothing to share. *)

val blocks : hash:('k -> int) -> equal:('k -> 'k -> bool) -> ('a -> 'k) -> 'a array -> Blocks.t
(** [blocks ~hash ~equal key a] is how [a] is divided, which depends on its elements only. Calls
    [key] for some of them. *)

val of_blocks :
  hash:('k -> int) ->
  equal:('k -> 'k -> bool) ->
  note:(int -> int -> unit) ->
  combine:('v -> 'v -> 'v) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  'a array ->
  Blocks.t ->
  ('k, 'v) entries array
(** [of_blocks ~hash ~equal ~note key value combine a b] is what the blocks of [a] have of each key:
    the values combined from left to right. Calls [note i entry] for the element [i], which is in
    this entry of its block. *)

val before : ('k, 'v) entries array -> int array
(** [before es] is how many entries there are before each of [es], in [concat es]. *)

val concat : ('k, 'v) entries array -> ('k, 'v) entries
(** [concat es] is all of them; a key may be there more than once. *)

val merge :
  equal:('k -> 'k -> bool) ->
  ('v -> 'v -> 'v) ->
  ('k, 'v) entries ->
  ('k, 'v) entries * (int -> int)
(** [merge ~equal combine e] is the entries of different keys, in the order of their first elements,
    and which of them each entry of [e] has become. *)
