(* The standard library's atomics, which count what is written to them. *)

let total = Stdlib.Atomic.make 0
let writes () = Stdlib.Atomic.get total
let count () = Stdlib.Atomic.incr total

include Stdlib.Atomic

let set r v =
  count ();
  set r v

let exchange r v =
  count ();
  exchange r v

let compare_and_set r seen v =
  count ();
  compare_and_set r seen v

let fetch_and_add r n =
  count ();
  fetch_and_add r n

let incr r =
  count ();
  incr r

let decr r =
  count ();
  decr r

module Loc = struct
  include Loc

  let set r v =
    count ();
    set r v

  let exchange r v =
    count ();
    exchange r v

  let compare_and_set r seen v =
    count ();
    compare_and_set r seen v

  let fetch_and_add r n =
    count ();
    fetch_and_add r n

  let incr r =
    count ();
    incr r

  let decr r =
    count ();
    decr r
end
