(** Arrays, scanned, each element combined with all before it: what [Arrays] says of these. *)

val scan : init:'a -> combine:('a -> 'a -> 'a) -> 'a array -> 'a array
val scan_exclusive : init:'a -> combine:('a -> 'a -> 'a) -> 'a array -> 'a array * 'a
val scan_inplace : init:'a -> combine:('a -> 'a -> 'a) -> 'a array -> unit
val scan_exclusive_inplace : init:'a -> combine:('a -> 'a -> 'a) -> 'a array -> 'a

val by_blocks :
  int ->
  (unit -> 'r) ->
  zero:'a ->
  add:('a -> 'a -> 'a) ->
  total:(int -> int -> 'a) ->
  scan:('r -> 'a -> int -> int -> 'a) ->
  'r
(** [by_blocks n make ~zero ~add ~total ~scan] is [make ()], into which [scan] has scanned 0..n-1.
    [scan dst start lo hi] scans these elements from [start] into [dst], and is what comes after
    them, [add start (total lo hi)]. For bodies of a few instructions an element. *)
