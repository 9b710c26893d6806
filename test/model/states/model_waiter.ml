(* A wait: wake against cancel against the step to suspend. Exactly one of those who end it wins, and what
   was suspended is resumed once. *)

exception Reason

(* A thread that parks. *)
let ends ~wakes ~interrupts () =
  Worker.current := None;
  let t = Waiter.of_thread () and parker = Parker.create () in
  let slept = ref false and won = ref 0 in
  let park () = slept := Waiter.park t parker
  and wake () = if Waiter.wake t then incr won
  and interrupt () = Waiter.interrupt t in
  let finally () =
    Alcotest.(check bool) "over" true (Waiter.is_over t);
    Alcotest.(check int) "woken" (Bool.to_int !slept) parker.wakes;
    Alcotest.(check int) "wakes that won" (if Waiter.state t = Interrupted then 0 else 1) !won
  in
  ((park :: List.init wakes (fun _ -> wake)) @ List.init interrupts (fun _ -> interrupt), finally)

(* A wait of a task whose token is cancelled meanwhile, or whose fork fails: it goes on in any case, and
   is cancelled only if nobody has woken it. *)
let wait ?(is_woken = false) ?(is_cancelled = false) ?(fails = false) () =
  let token = Token.root ignore in
  Token.make_known token;
  Worker.current := Some (Worker.create token);
  let place = Atomic.make None and outcome = ref None and won = ref false in
  let wait () =
    match Wait.wait "" (fun waiter -> Atomic.set place (Some waiter)) with
    | () -> outcome := Some true
    | exception Token.Cancelled Reason -> outcome := Some false
  and wake () =
    match Atomic.get place with Some waiter -> if Waiter.wake waiter then won := true | None -> ()
  and cancel () = Token.cancel token Reason
  and fail () = Token.fail token Reason in
  let finally () =
    let ends = is_cancelled || fails in
    if ends then Alcotest.(check bool) "has gone on" true (Option.is_some !outcome);
    if !won then Alcotest.(check (option bool)) "was woken" (Some true) !outcome
    else if ends then Alcotest.(check (option bool)) "was cancelled" (Some false) !outcome
    else Alcotest.(check (option bool)) "waits" None !outcome
  in
  let only_if condition process = if condition then [ process ] else [] in
  ( (Task.process wait :: only_if is_woken wake) @ only_if is_cancelled cancel @ only_if fails fail,
    finally )

(* A wait in a scope, whose token lies in another that has a cause meanwhile. *)
let within () =
  let outer = Token.root ignore in
  let inner = Token.task outer in
  Token.surround ~outer inner;
  Worker.current := Some (Worker.create inner);
  let never = Atomic.make None and is_interrupted = ref false in
  let wait () =
    try Wait.wait "" (fun waiter -> Atomic.set never (Some waiter))
    with Token.Cancelled Reason -> is_interrupted := true
  and fail () = Token.fail outer Reason in
  let finally () = Alcotest.(check bool) "is interrupted" true !is_interrupted
  and { Token.wait = attention; is_alarmed; _ } = inner in
  let drains = [ Plain.drain 0 attention; Plain.drain 1 is_alarmed ] in
  (Task.process wait :: fail :: drains, finally)

let case name setup = Explore.case name (Plain.delayed ~fences:true setup)

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
          case "a wake" (fun () -> wait ~is_woken:true ());
          case "a cancellation" (fun () -> wait ~is_cancelled:true ());
          case "a wake, a cancellation" (fun () -> wait ~is_woken:true ~is_cancelled:true ());
          case "a failure" (fun () -> wait ~fails:true ());
          case "a wake, a failure" (fun () -> wait ~is_woken:true ~fails:true ());
          case "a cancellation, a failure" (fun () -> wait ~is_cancelled:true ~fails:true ());
        ] );
      ( "in a scope",
        [
          case "a failure outside" within;
          Explore.finds "or lost without a fence" (Plain.delayed ~fences:false within);
        ] );
    ]
