(** Folds over the lines of files. *)

val fold :
  ?ending:char ->
  make:(unit -> 'acc) ->
  merge:('acc -> 'acc -> 'acc) ->
  ('acc -> string -> 'acc) ->
  string ->
  'acc
(** [fold] is [Drover.Text.fold_lines_of_file]. *)
