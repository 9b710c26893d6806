(** Scopes that end when they have run too long, or use too much memory: [Drover.Scope.limited]. *)

type limit = Account.limit = Heap of int | Allocated of int

exception Exceeded of { limit : limit; used : int }

val limited : ?timeout:float -> ?heap:int -> ?allocated:int -> (unit -> 'a) -> 'a
(** [limited f] is [f ()], in such a scope. Suspends until all that it starts has ended. Raises
    [Timeout], {!Exceeded}, or [Invalid_argument] if a limit makes no sense. *)
