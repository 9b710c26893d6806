(* Stands for the tasks: a process is suspended as one, with its rest in the waiter, and what wakes it
   runs that at once. *)

type _ Effect.t += Suspend : Waiter.t -> unit Effect.t

let suspend t =
  Effect.perform (Suspend t);
  true

let block_in_any_case t = ignore (suspend t : bool)
let block (_ : Host.caller) t = ignore (suspend t : bool)

(* Calls [f] so that it can wait. *)
let process f () =
  match f () with
  | () -> ()
  | effect Suspend t, k -> if not (Waiter.suspend t k) then Effect.Deep.continue k ()
