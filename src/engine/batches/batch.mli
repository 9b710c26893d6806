(** Single operations, applied together: [Drover.Batch]. *)

type 'op t = 'op Batch_object.t
type metrics = { batches : int; operations : int; sizes : int array }

val create :
  ?pool:Pool.t ->
  ?max:int ->
  ?applied:('op -> bool) ->
  ?one:('op -> bool) ->
  ('op array -> unit) ->
  'op t
(** See {!Batch_object.create}. *)

val submit : 'op t -> 'op -> unit
(** [submit t op] applies [op], in a batch of its own or with others, and returns when that has
    ended. Any thread. Suspends, or blocks, while somebody else serves; an operation that is queued
    is in a batch for certain, whether its task is cancelled meanwhile or not. Raises what the batch
    function has, if [op] has no result; [Invalid_argument] in the object's own batch function, and
    in a callback that would have to wait. *)

val metrics : 'op t -> metrics
(** [metrics t] is what [t] has done. *)
