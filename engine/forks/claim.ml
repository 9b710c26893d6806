(* Claim.

   Free --begin_--> Begun
     +---give_up--> Given_up *)

type state = Free | Begun | Given_up
type t = state Atomic.t

let create () = Atomic.make Free
let begin_ t = Atomic.compare_and_set t Free Begun
let give_up t = Atomic.compare_and_set t Free Given_up || Atomic.get t = Given_up
