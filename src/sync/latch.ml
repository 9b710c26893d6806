(* Latch: a gate that the last step of a count opens. *)

type t = { left : int Atomic.t; gate : Gate.t }

let left l = Atomic.get l.left

let create n =
  if n < 0 then invalid_arg "Drover.Latch.create: the count is negative";
  { left = Atomic.make n; gate = Gate.create () }

let rec lower l () =
  let n = left l in
  if n = 0 then invalid_arg "Drover.Latch.count_down: the latch is open already"
  else if not (Atomic.compare_and_set l.left n (n - 1)) then lower l ()
  else if n = 1 then Gate.open_up l.gate

let count_down l = Section.run (lower l) ()
let wait l = if left l > 0 then Section.run Gate.pass l.gate
