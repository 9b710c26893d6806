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
  | Together  (** one table for all *)
  | In_blocks of { blocks : Blocks.t; keys : int }
      (** each block has a table of its own, of about [keys] entries *)
  | Apart  (** each element is an entry, as most keys differ *)

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
  Blocks.t ->
  keys:int ->
  ('k, 'v) entries array
(** [of_blocks ~hash ~equal ~note ~combine key value a blocks ~keys] is the same of each block. For
    the block [b], which is [lo..hi], it calls [note b lo hi], and this for each element. *)

val of_elements :
  hash:('k -> int) -> ('a -> 'k) -> ('a -> 'v) -> 'a array -> int -> int -> ('k, 'v) entries
(** [of_elements ~hash key value a lo hi] has an entry for each of these elements of [a]. *)

val before : ('k, 'v) entries array -> int array
(** [before es] is how many entries there are before each of [es], in [concat es]. *)

val concat : ('k, 'v) entries array -> ('k, 'v) entries
(** [concat es] is all of them; a key may be there more than once. *)

type ('k, 'v) merged = {
  all : ('k, 'v) entries;
  firsts : int array;  (** for each of [all], which of them is the first with its key *)
  bits : int;
  tables : ('k, 'v) Key_table.t array;  (** those of the parts, which [bits] of a hash tell *)
}
(** The type for entries that have been joined to the first with their key. *)

val merge :
  equal:('k -> 'k -> bool) -> join:(int -> int -> unit) -> ('k, 'v) entries -> ('k, 'v) merged
(** [merge ~equal ~join e] joins the entries of [e]: it calls [join first i] for each entry [i] that
    is not the [first] of its key: in order for a key, in parallel for several. *)

val marks : _ merged -> Pack.marks
(** [marks m] keeps the first of each key. *)

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
