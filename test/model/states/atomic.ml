(* Stands for the standard library's module in the copied sources: dscheck's, whose steps that write are fences for the
   plain fields. *)

include Dscheck.TracedAtomic

let set r v =
  Plain.fence ();
  set r v

let exchange r v =
  Plain.fence ();
  exchange r v

let compare_and_set r seen v =
  Plain.fence ();
  compare_and_set r seen v

let fetch_and_add r n =
  Plain.fence ~is_mere:(n = 0) ();
  fetch_and_add r n

let incr r = ignore (fetch_and_add r 1 : int)
let decr r = ignore (fetch_and_add r (-1) : int)
