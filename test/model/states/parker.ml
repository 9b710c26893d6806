(* Stands for the parkers: a process that waits is left behind, and whoever wakes it runs the rest of it
   at once. *)

type t = { mutable resume : unit -> unit; mutable wakes : int }

let create () = { resume = ignore; wakes = 0 }

let wake p =
  p.wakes <- p.wakes + 1;
  let resume = p.resume in
  p.resume <- ignore;
  resume ()

let park (_ : t) = ()
