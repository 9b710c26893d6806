(* A wait: wake against cancel against the step to suspend. Exactly one of those who end it wins, and what
   was suspended is resumed once. *)

exception Reason

(* The suspension itself. *)
let ends ~wakes ~interrupts () =
  Worker.current := None;
  let s = Waiter.create () and parker = Parker.create () in
  let slept = ref false and won = ref 0 in
  let suspend () = slept := Waiter.suspend s (Thread parker)
  and wake () = if Waiter.wake s then incr won
  and interrupt () = Waiter.interrupt s in
  let finally () =
    Alcotest.(check bool) "over" true (Waiter.is_over s);
    Alcotest.(check int) "resumed" (Bool.to_int !slept) parker.wakes;
    Alcotest.(check int) "wakes that won" (if Waiter.state s = Interrupted then 0 else 1) !won
  in
  ((suspend :: List.init wakes (fun _ -> wake)) @ List.init interrupts (fun _ -> interrupt), finally)

(* A wait of a task whose token is cancelled meanwhile: it goes on in any case, and is cancelled only if
   nobody has woken it. *)
let wait ~is_woken ~is_cancelled () =
  let token = Token.root ignore in
  Token.make_known token;
  Worker.current := Some (Worker.create token);
  let place = Atomic.make None and outcome = ref None and won = ref false in
  let wait () =
    match Wait.wait (fun waiter -> Atomic.set place (Some waiter)) with
    | () -> outcome := Some true
    | exception Token.Cancelled Reason -> outcome := Some false
  and wake () =
    match Atomic.get place with Some waiter -> if Waiter.wake waiter then won := true | None -> ()
  and cancel () = Token.cancel token Reason in
  let finally () =
    if is_cancelled then Alcotest.(check bool) "has gone on" true (Option.is_some !outcome);
    if !won then Alcotest.(check (option bool)) "was woken" (Some true) !outcome
    else if is_cancelled then Alcotest.(check (option bool)) "was cancelled" (Some false) !outcome
    else Alcotest.(check (option bool)) "waits" None !outcome
  in
  let processes = (if is_woken then [ wake ] else []) @ if is_cancelled then [ cancel ] else [] in
  (Task.process wait :: processes, finally)

let () =
  Alcotest.run "model waiter"
    [
      ( "state",
        [
          Explore.case "a wake" (ends ~wakes:1 ~interrupts:0);
          Explore.case "an interrupt" (ends ~wakes:0 ~interrupts:1);
          Explore.case "two wakes" (ends ~wakes:2 ~interrupts:0);
          Explore.case "a wake, an interrupt" (ends ~wakes:1 ~interrupts:1);
          Explore.case "two wakes, an interrupt" (ends ~wakes:2 ~interrupts:1);
        ] );
      ( "in a task",
        [
          Explore.case "a wake" (wait ~is_woken:true ~is_cancelled:false);
          Explore.case "a cancellation" (wait ~is_woken:false ~is_cancelled:true);
          Explore.case "a wake, a cancellation" (wait ~is_woken:true ~is_cancelled:true);
        ] );
    ]
