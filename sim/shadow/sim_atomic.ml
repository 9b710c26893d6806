(* Atomics whose every access takes its time. *)

open Drover_machine

type !'a t = { mutable value : 'a; line : World.line; name : string }

let make_at name value = { value; line = Lines.one (); name }
let make_contended_at name value = { value; line = Lines.apart (); name }
let make value = make_at "atomic" value
let make_contended value = make_contended_at "atomic" value

let get r =
  Lines.read r.line r.name;
  r.value

let exchange r value =
  Lines.step r.line r.name;
  let before = r.value in
  r.value <- value;
  before

let set r value = ignore (exchange r value)

let compare_and_set r seen value =
  Lines.step r.line r.name;
  let is_same = r.value == seen in
  if Mutants.is_split r.name then Lines.step r.line r.name;
  if is_same then r.value <- value else Lines.note_failure r.name;
  is_same

let fetch_and_add r n =
  Lines.step r.line r.name;
  let before = r.value in
  r.value <- before + n;
  before

let incr r = ignore (fetch_and_add r 1 : int)
let decr r = ignore (fetch_and_add r (-1) : int)

(* Fields *)
module Loc = struct
  module Real = Stdlib.Atomic.Loc

  type 'a t = { field : 'a Real.t; line : World.line; name : string }

  let at line name field = { field; line; name }

  let get l =
    Lines.read l.line l.name;
    Real.get l.field

  let exchange l value =
    Lines.step l.line l.name;
    Real.exchange l.field value

  let set l value = ignore (exchange l value)

  let compare_and_set l seen value =
    Lines.step l.line l.name;
    let is_same =
      if Mutants.is_split l.name then begin
        let is_same = Real.get l.field == seen in
        Lines.step l.line l.name;
        if is_same then Real.set l.field value;
        is_same
      end
      else Real.compare_and_set l.field seen value
    in
    if not is_same then Lines.note_failure l.name;
    is_same

  let fetch_and_add l n =
    Lines.step l.line l.name;
    Real.fetch_and_add l.field n

  let incr l = ignore (fetch_and_add l 1 : int)
  let decr l = ignore (fetch_and_add l (-1) : int)
end
