(* Stands for the tasks: a process is suspended as one, with its rest in the waiter, and what wakes it
   runs that at once. *)

(* Calls [f] so that it can wait. *)
let process f () =
  match f () with
  | () -> ()
  | effect Waiter.Suspend t, k -> if not (Waiter.suspend t k) then Effect.Deep.continue k ()

let poll () = Option.iter (fun (w : Worker.t) -> Token.poll w.context.token) (Worker.mine ())
