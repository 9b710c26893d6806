(* Stands for the tasks: a process sleeps on a parker. *)

type _ Effect.t += Sleep : Sleeper.t -> unit Effect.t

let wait sleeper = Effect.perform (Sleep sleeper)
let wait_in_any_case = wait
let wait_for _ = wait

(* Calls [f] so that it can wait. *)
let process f () =
  let open Effect.Deep in
  match f () with
  | () -> ()
  | effect Sleep sleeper, k ->
      let parker = Parker.create () in
      let resume () = continue k () in
      parker.resume <- resume;
      if not (Sleeper.fall_asleep sleeper (Thread parker)) then resume ()
