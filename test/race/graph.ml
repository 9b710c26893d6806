(* The graph of what depends on what, which a program builds as it runs: each node knows all that is before it. *)

module Ids = Set.Make (Int)

type node = { id : int; past : Ids.t }

let last = ref 0

let node before =
  incr last;
  let past s p = Ids.add p.id (Ids.union s p.past) in
  { id = !last; past = List.fold_left past Ids.empty before }

(* [a] ran first. *)
let is_before a b = Ids.mem a.id b.past
