(** Scopes that a signal cancels: [Drover.run_until_signal]. *)

exception Signalled of int

val run_until_signal : ?signals:int list -> (Scope.t -> 'a) -> 'a
(** [run_until_signal f] is [f s], in a scope that is cancelled with {!Signalled} when one of
    [signals] comes; while it runs, they have this handler. As [Scope.run] otherwise. *)
