(* Stands for the tasks: a process parks. *)

type _ Effect.t += Suspend : Waiter.t -> unit Effect.t

let wait waiter = Effect.perform (Suspend waiter)
let wait_in_any_case = wait
let wait_for _ = wait

(* Calls [f] so that it can wait. *)
let process f () =
  let open Effect.Deep in
  match f () with
  | () -> ()
  | effect Suspend waiter, k ->
      let parker = Parker.create () in
      let resume () = continue k () in
      parker.resume <- resume;
      if not (Waiter.suspend waiter (Thread parker)) then resume ()
