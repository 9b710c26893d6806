(** Figures as people read them. *)

val seconds : float -> string
(** [seconds s] is [s] with three digits and a fitting unit, such as ["1.25 ms"]. *)

val times : float -> string
(** [times r] is the ratio [r], such as ["1.87x"]. *)

val percent : float -> string
(** [percent f] is the fraction [f], such as ["3.1%"]. *)

val roughly : float -> string
(** [roughly x] is [x] with two significant digits, for what is not known better; a whole number is
    what it is. *)

val digits : float -> string
(** [digits x] is [x] with three significant digits. *)
