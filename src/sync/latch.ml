(* Latch: a gate that the last step of a count opens. *)

type t = { left : int Atomic.t; gate : unit Ivar.t }

let left l = Atomic.get l.left

let create n =
  if n < 0 then invalid_arg "Drover.Latch.create: the count is negative";
  { left = Atomic.make n; gate = Ivar.create () }

let rec lower l () =
  let n = left l in
  if n = 0 then invalid_arg "Drover.Latch.count_down: the latch is open already"
  else if not (Atomic.compare_and_set l.left n (n - 1)) then lower l ()
  else if n = 1 then ignore (Ivar.fill l.gate () : bool)

let count_down l = Section.run (lower l) ()
let wait l = if left l > 0 then Section.run Wait.until_full l.gate
