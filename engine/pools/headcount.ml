(* Headcount: tasks that something waits for. [left] is how many have not ended; once it is 0 nobody enters any
   more. The last to leave tells who waits. *)

type t = { left : int Atomic.t; ended : unit Ivar.t }

let create () = { left = Atomic.make 1; ended = Ivar.create () }
let none = create ()
let is_over h = Atomic.get h.left = 0

let rec enter h =
  let n = Atomic.get h.left in
  n > 0 && (Atomic.compare_and_set h.left n (n + 1) || enter h)

let[@inline] count_down h = ignore (Atomic.fetch_and_add h.left (-1) : int)
let[@inline] look h = if is_over h then ignore (Ivar.fill h.ended () : bool)

let leave h =
  count_down h;
  look h

let await h ~cancel = if not (is_over h) then Wait.until_ended (Ivar.on_fill h.ended) ~cancel
