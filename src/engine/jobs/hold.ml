(* Hold.

   At the end of a task its worker looks for what the task still holds, while others take and give back:
   it finds the task's number only where the task holds, as only the task has written that. What was
   given back, or was not taken after all, a task forgets when it takes something else. *)

type t = {
  name : string;
  mutable holder : int;
  release : unit -> unit; (* gives it back, for a task that has ended *)
}

let nobody = 0
let[@inline] give_back h = if h.holder <> nobody then h.holder <- nobody
