(* What was raised while only the user's comparison was called, without other effects. Where that raises,
   it raises again. What came from elsewhere, such as a signal's handler, is not for the operations,
   which go on; and it must not be lost. *)

(* First thing in the handler of [exn], which came out of [f ()]: if [f ()] succeeds now, then [exn] is
   reported as that of a task that nobody awaits. *)
let check f exn =
  let backtrace = Printexc.get_raw_backtrace () in
  match f () with
  | _ ->
      let task () = Printexc.raise_with_backtrace exn backtrace in
      ignore (Drover.async task : unit Drover.Promise.t)
  | exception _ -> ()
