(* The set is an immutable list behind one atomic: it is as long as the pool has workers, and
   changes only when one of them falls asleep or wakes. *)

type t = int list Atomic.t

let create () = Atomic.make_contended []
let[@inline] is_empty s = match Atomic.get s with [] -> true | _ :: _ -> false
let[@inline] are_more_than n s = List.compare_length_with (Atomic.get s) n > 0

(* Comes before the worker's second look for work; pairs with the read in [choose], which comes after
   the work was added. *)
let announce = Shared.push

let rec withdraw s i =
  let ids = Atomic.get s in
  List.mem i ids
  && (Atomic.compare_and_set s ids (List.filter (fun id -> id <> i) ids) || withdraw s i)

let nobody = -1
let try_again = -2

let[@inline] choose s =
  match Atomic.get s with
  | [] -> nobody
  | i :: rest as ids -> if Atomic.compare_and_set s ids rest then i else try_again
