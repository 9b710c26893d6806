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

type in_parts = {
  blocks : Blocks.t;  (** of elements *)
  have_tables : bool;
      (** each block has a table of its own; else each element is an entry, as keys come seldom *)
  keys : int;  (** about how many there are *)
  bits : int;  (** of parts *)
}
(** The type for how many elements are divided. *)

type division =
  | Together
  | In_parts of in_parts  (** The type for how to begin with an array: with one table, or many. *)

val division : hash:('k -> int) -> equal:('k -> 'k -> bool) -> ('a -> 'k) -> 'a array -> division
(** [division ~hash ~equal key a] is how, which depends on the elements of [a] only. Calls [key] for
    some of many. *)

val table :
  hash:('k -> int) ->
  equal:('k -> 'k -> bool) ->
  note:(int -> int -> unit) ->
  combine:('v -> 'v -> 'v) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  'a array ->
  ('k, 'v) Key_table.t
(** [table ~hash ~equal ~note ~combine key value a] is what [a] has of each key: the values combined
    from left to right. Calls [note i number] for each element and the number of its entry. *)

val of_blocks :
  hash:('k -> int) ->
  equal:('k -> 'k -> bool) ->
  note:(int -> int -> int -> int -> int -> unit) ->
  combine:('v -> 'v -> 'v) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  'a array ->
  in_parts ->
  ('k, 'v) Key_parts.block array
(** [of_blocks ~hash ~equal ~note ~combine key value a division] is the entries of each block, to be
    joined. For a block [b], [lo..hi], that has a table it calls [note b lo hi], and this for each
    element. *)

(** {1 Results} *)

type ('k, 'v) found
(** The type for what is known of each key. *)

val reduce :
  hash:('k -> int) ->
  equal:('k -> 'k -> bool) ->
  combine:('v -> 'v -> 'v) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  'a array ->
  ('k, 'v) found
(** [reduce ~hash ~equal ~combine key value a] is what {!reduce_by} tells. *)

val find : ('k, 'v) found -> hash:('k -> int) -> 'k -> 'v option
(** [find found ~hash key] is what there is of [key]. *)
