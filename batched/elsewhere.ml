(* What was raised while only the user's comparison was called, without other effects: where that
   raises, it raises again. What came from elsewhere, such as a signal's handler, is not for the
   operations, and must not be lost. *)

(* First thing in the handler of [exn], which came out of [f ()]: raises it if [f ()] succeeds now. *)
let check f exn =
  let backtrace = Printexc.get_raw_backtrace () in
  match f () with _ -> Printexc.raise_with_backtrace exn backtrace | exception _ -> ()
