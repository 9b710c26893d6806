(* A structure of which others take the place: a cell with its root. Single operations replace the
   root by one compare-and-set each, and a batch closes the cell while it is at work, so that it may
   take long, and change what it alone can have.

   1. An operation by itself reads the root, and then whether the cell is closed. If not, it finds out
      what the root becomes, and puts that in its place if it still is the root. Otherwise it begins
      again, after a pause.
   2. One that was too slow [attempts] times, or finds the cell closed, is for a batch.
   3. A batch closes the cell, and then puts a copy of the root in its place. So an operation that has
      read the root before is too slow, and one that reads it later finds the cell closed.
   4. The batch puts what it has made in the place of the copy, and then opens the cell. So an operation
      that has read the copy finds the cell closed, or all that the batch has done.

   A root that cannot be copied, as it is a constant, changes in batches only.

   [root] and [is_closed] pair with each other: an operation reads them in the order 1, a batch writes
   them in the orders 3 and 4. *)

type 'a t = {
  mutable root : 'a; [@atomic]
  mutable is_closed : bool; [@atomic]
  constant : 'a;
  copy : 'a -> 'a;
}

let create ~constant ~copy root = { root; is_closed = false; constant; copy }
let[@inline] get t = Atomic.Loc.get [%atomic.loc t.root]
let[@inline] put t before after = Atomic.Loc.compare_and_set [%atomic.loc t.root] before after

(* Operations by themselves *)

type answer = Same | Replaced | Refused

let attempts = 8

(* Beside a batch, [f] may find what cannot be. *)
let rec replace_after tries t f =
  let before = get t in
  if tries = attempts || Atomic.Loc.get [%atomic.loc t.is_closed] then Refused
  else
    match f before with
    | after when after == before -> Same
    | _ when before == t.constant -> Refused
    | after -> if put t before after then Replaced else again tries t f
    | exception Assert_failure _ when get t != before -> again tries t f

and again tries t f =
  Shared.pause (1 lsl tries);
  replace_after (tries + 1) t f

(* [f] may be called several times, also with a root that a batch is changing. *)
let[@inline] replace t f = replace_after 0 t f

(* Batches: one at a time *)

let rec take t =
  let before = get t in
  if before == t.constant then before
  else
    let copy = t.copy before in
    if put t before copy then copy else take t

(* [f ~keep root], which may [keep] what comes in the place of [root]. *)
let closing t f =
  Atomic.Loc.set [%atomic.loc t.is_closed] true;
  let root = take t in
  let after = ref root in
  let open_again () =
    Atomic.Loc.set [%atomic.loc t.root] !after;
    Atomic.Loc.set [%atomic.loc t.is_closed] false
  in
  Fun.protect ~finally:open_again (fun () -> f root ~keep:(fun root -> after := root))
