(* Claim: what is to be done once, by whoever begins it first; or not at all, when that is given up
   before.

   Free --begin_--> Begun
     +---give_up--> Given_up *)

type state = Free | Begun | Given_up
type t = state Atomic.t

let create () = Atomic.make Free
let begin_ t = Atomic.compare_and_set t Free Begun

(* [false] if it has begun. May be called again. *)
let give_up t = Atomic.compare_and_set t Free Given_up || Atomic.get t = Given_up
