(** Calls that a signal's handler does not cut short. *)

val call : ('a -> unit) -> 'a -> unit
(** [call f x] is [f x]. If that raises, as a signal's handler on the main thread may have it do, it
    is called once more, before the exception goes on: [f] bears that. For the ends that others wait
    for. *)
