(** Elements brought together by their keys: what [Arrays] says of these. *)

val group_by :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('a -> 'k) -> 'a array -> ('k * 'a array) array

val join_by :
  ?hash:('k -> int) ->
  ?equal:('k -> 'k -> bool) ->
  ('a -> 'k) ->
  ('b -> 'k) ->
  'a array ->
  'b array ->
  ('a * 'b) array
