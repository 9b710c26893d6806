(* A transaction of kcas with a time limit raised [Domain_local_timeout.set_timeoutf not implemented] in
   a task. It does without the first line of the program, which the manual has now. *)

open Kcas

let () =
  Case.main @@ fun () ->
  Domain_local_timeout.set_system (module Thread) (module Unix);
  let cell = Loc.make 0 in
  let wait () = Loc.get_as ~timeoutf:0.1 (fun x -> if x = 0 then Retry.later () else x) cell in
  match Drover.run ~domains:2 wait with
  | (_ : int) -> Case.wrong "a transaction ends that nobody lets end"
  | exception Timeout.Timeout -> Case.right "a transaction ends at its time limit"
  | exception e -> Case.wrong "a transaction with a time limit raises %s" (Printexc.to_string e)
