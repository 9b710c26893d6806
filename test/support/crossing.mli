(** Random programs that go to and fro between a loop and tasks. *)

type program =
  | Value of int
  | Failure of int
  | Pair of program * program  (** at the same time, on this side *)
  | Pause of program  (** and then *)
  | Over of program  (** on the other side *)

val program : program QCheck2.Gen.t
(** [program] is any of a few dozen steps. *)

val print : program -> string
(** [print p] is [p] in words. *)

val expected : program -> (int, int list) result
(** [expected p] is the sum of its values, or its failures, of which one or several are raised. *)
