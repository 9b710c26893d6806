(* Waiting: a wait that leaves nothing behind. *)

(* [until register] waits until the waiter that [register] is given is woken. If the wait is
   cancelled, or a signal's handler raises out of it, then the waiter takes nothing any more, and
   what [register] has returned takes it out of where it was put. *)
let until register =
  let clean_up = ref ignore in
  let enter waiter =
    let undo = register waiter in
    clean_up :=
      fun () ->
        ignore (Waiter.wake waiter : bool);
        undo ()
  in
  match Waiter.wait enter with
  | () -> ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      !clean_up ();
      Printexc.raise_with_backtrace exn backtrace

(* Calls [f] between the two, also when it raises. *)
let between enter leave f =
  enter ();
  match f () with
  | v ->
      leave ();
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      leave ();
      Printexc.raise_with_backtrace exn backtrace
