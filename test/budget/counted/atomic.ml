(* The standard library's atomics, which count what is written to them. *)

let total = Stdlib.Atomic.make 0
let writes () = Stdlib.Atomic.get total
let count () = Stdlib.Atomic.incr total

module type Written = sig
  type !'a t

  val set : 'a t -> 'a -> unit
  val exchange : 'a t -> 'a -> 'a
  val compare_and_set : 'a t -> 'a -> 'a -> bool
  val fetch_and_add : int t -> int -> int
  val incr : int t -> unit
  val decr : int t -> unit
end

module Counted (A : Written) = struct
  let set r v =
    count ();
    A.set r v

  let exchange r v =
    count ();
    A.exchange r v

  let compare_and_set r seen v =
    count ();
    A.compare_and_set r seen v

  let fetch_and_add r n =
    count ();
    A.fetch_and_add r n

  let incr r =
    count ();
    A.incr r

  let decr r =
    count ();
    A.decr r
end

include Stdlib.Atomic
include Counted (Stdlib.Atomic)

module Loc = struct
  include Stdlib.Atomic.Loc
  include Counted (Stdlib.Atomic.Loc)
end
