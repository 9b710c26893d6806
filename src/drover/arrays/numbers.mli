(** Arrays of numbers, sorted by the machine's own comparison, in the order of [Int.compare] and
    [Float.compare]: what [Arrays] and [Float_arrays] say of these. *)

val sort_ints : int array -> unit
val sort_floats : float array -> unit
val sort_floatarray : floatarray -> unit
