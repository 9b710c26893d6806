(* Stands for the workers' deques, which have a model of their own. *)

type 'a t = 'a list ref

let has_room (_ : _ t) = true

let put d job =
  d := job :: !d;
  true
