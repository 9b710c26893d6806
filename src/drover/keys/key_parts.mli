(** Entries of blocks of elements, joined by key in parallel.

    Any thread; the loops suspend as those of [Fold] do. Raise what the functions raise that they
    are given. *)

(** {1 Blocks} *)

type ('k, 'v) block = { keys : 'k array; values : 'v array; sent : int array; starts : int array }
(** The type for the entries of a block, [keys] and [values], sorted by part. *)

val none : ('k, 'v) block
(** [none] has no entries. *)

val over_blocks : int -> room:int -> (int array -> int -> unit) -> unit
(** [over_blocks n ~room f] calls [f scratch b] for each [b] below [n], in parallel. [scratch] has
    [room] zeros, if each call leaves it so, and is of one call at a time. *)

val bits_for : int -> keys:int -> int
(** [bits_for n ~keys] is how many bits of a hash tell the part, for [n] entries with [keys] keys in
    the ambient pool. *)

val of_elements :
  bits:int ->
  hash:('k -> int) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  'a array ->
  int array ->
  int ->
  int ->
  ('k, 'v) block
(** [of_elements ~bits ~hash key value a scratch lo hi] has an entry for each of these elements of
    [a], one at least, for which [scratch] has room. *)

val of_table : bits:int -> ('k, 'v) Key_table.t -> ('k, 'v) block
(** [of_table ~bits t] has the entries of [t], which is then not to be used any more. *)

(** {1 Parts} *)

type ('k, 'v) t = { blocks : ('k, 'v) block array; tables : ('k, 'v) Key_table.t array; bits : int }
(** The type for entries that have been joined: the tables of the parts. *)

val join :
  bits:int ->
  keys:int ->
  equal:('k -> 'k -> bool) ->
  combine:('v -> 'v -> 'v) ->
  note:(('k, 'v) block -> ('k, 'v) Key_table.t -> int -> int -> unit) ->
  ('k, 'v) block array ->
  ('k, 'v) t
(** [join ~bits ~keys ~equal ~combine ~note blocks] joins entries with equal keys, of which there
    are about [keys], from left to right. When the entry [k] of [block] has been joined to the key
    [i] of the table [t], it calls [note block t i k]: in order for a key, in parallel for several.
*)

val find : ('k, 'v) t -> hash:int -> 'k -> 'v option
(** [find t ~hash key] is what there is of [key], whose [Key_table.hashed] is [hash]. *)

val in_order : ('k, 'v) t -> (int -> ('k, 'v) Key_table.t -> int -> 'a) -> 'a array
(** [in_order t f] is [f p table i] for each key: the key [i] of the table of the part [p]; in the
    order in which the keys first come. *)

val keys_of_entries : ('k, 'v) t -> ('k, 'v) block -> int array -> unit
(** [keys_of_entries t block keys] stores in [keys] for each entry of [block] which key it has, for
    {!unpack}. *)

val unpack : int -> int -> int * int
(** [unpack bits key] is its part, and which of the part's keys it is. *)
