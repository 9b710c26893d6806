(* Arrays: an access to an element has its price, and so has a large array, which is fresh memory. *)

open Drover_machine
include Stdlib.Array

let get a i =
  Work.element ();
  get a i

let set a i x =
  Work.element ();
  set a i x

let unsafe_get a i =
  Work.element ();
  unsafe_get a i

let unsafe_set a i x =
  Work.element ();
  unsafe_set a i x

let make n x =
  Work.fresh n;
  make n x

let init n f =
  Work.fresh n;
  init n f

let copy a =
  Work.fresh (length a);
  copy a

let sub a start n =
  Work.fresh n;
  sub a start n

let append a b =
  Work.fresh (length a + length b);
  append a b
