(* Barrier: a gate for each round. The last party of a round begins the next one, with one step, and
   then opens the gate. So that step decides who has met: a party that is cancelled after it returns
   with its round. *)

type round = { arrived : int; gate : unit Ivar.t }
type t = { parties : int; round : round Atomic.t }

let first_of gate = { arrived = 0; gate }

let create parties =
  if parties < 1 then invalid_arg "Drover.Barrier.create: parties < 1";
  { parties; round = Atomic.make (first_of (Ivar.create ())) }

let parties b = b.parties

(* [false] if the round is over. *)
let rec withdraw b gate =
  let round = Atomic.get b.round in
  round.gate == gate
  && (Atomic.compare_and_set b.round round { round with arrived = round.arrived - 1 }
     || withdraw b gate)

let rec meet b () =
  let round = Atomic.get b.round in
  let arrived = round.arrived + 1 in
  if arrived < b.parties then
    if Atomic.compare_and_set b.round round { round with arrived } then
      Seat.cancellable Wait.until_full round.gate ~withdraw:(fun () -> withdraw b round.gate)
    else meet b ()
  else if Atomic.compare_and_set b.round round (first_of (Ivar.create ())) then
    ignore (Ivar.fill round.gate () : bool)
  else meet b ()

let wait b = Section.run (meet b) ()
