(* Cheap iterations: of those that take less, a good part is the call of a function. *)

let most = 25 (* nanoseconds *)

let advice =
  "Each is a call of a function, which takes some nanoseconds itself: let the loop call one for an \
   interval (parallel_range, parallel_reduce_range, or for%par of ppx_drover)."
