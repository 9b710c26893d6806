(** Programs that test properties on random inputs. *)

val run : QCheck2.Test.t list -> 'a
(** [run tests] runs them and exits. The inputs follow from the environment variable [QCHECK_SEED],
    if it is set, and are others each time if not. *)

val agree : ('a -> string) -> expected:'a -> found:'a -> bool
(** [agree show ~expected ~found] is [true] if the two are equal. If not, the property fails with a
    report of both. *)
