(* Chain: the iterations that wait on a worker's stack, each on top of the one before (see [Ahead]). *)

type t = {
  awaited : int; (* the number of the object that they wait for *)
  mutable length : int;
  since : float; (* seconds *)
  mutable free_since : float; (* when the latest could go on, or 0 *)
}

let create ~awaited ~since = { awaited; length = 0; since; free_since = 0. }

(* Stands for the absence of a chain. *)
let none = create ~awaited:(-1) ~since:0.
