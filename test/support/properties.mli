(** Programs that test properties on random inputs. *)

val run : QCheck2.Test.t list -> 'a
(** [run tests] runs them and exits. The inputs follow from the environment variable [QCHECK_SEED],
    if it is set, and are others each time if not. *)
