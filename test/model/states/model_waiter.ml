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

(* The same, which is roused and suspended again. *)
let goes_on ~wakes ~rouses () =
  Worker.current := None;
  let s = Waiter.create () and parker = Parker.create () in
  let ended = ref 0 and won = ref 0 in
  let rec go_on () = if Waiter.rearm s then suspend () else incr ended
  and suspend () =
    parker.resume <- go_on;
    if not (Waiter.suspend s (Thread parker)) then begin
      parker.resume <- ignore;
      go_on ()
    end
  and wake () = if Waiter.wake s then incr won
  and rouse () = Waiter.rouse s in
  let finally () =
    Alcotest.(check int) "wakes that won" (Int.min 1 wakes) !won;
    Alcotest.(check int) "has gone on" (Int.min 1 wakes) !ended
  in
  ((suspend :: List.init wakes (fun _ -> wake)) @ List.init rouses (fun _ -> rouse), finally)

exception Far

(* A wait of a task whose token is cancelled meanwhile, or whose fork fails: it goes on in any case, and
   is cancelled only if nobody has woken it. But not where the fork's join is elsewhere. *)
let wait ?near ?(is_woken = false) ?(is_cancelled = false) () =
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
  and cancel () = Token.cancel token Reason
  and fail near () =
    let reason = if near then Reason else Far in
    Token.fail token.fiber (Token.failure ~is_near:(Fun.const near) reason)
  in
  let finally () =
    let ends = is_cancelled || near = Some true in
    if ends then Alcotest.(check bool) "has gone on" true (Option.is_some !outcome);
    if !won then Alcotest.(check (option bool)) "was woken" (Some true) !outcome
    else if ends then Alcotest.(check (option bool)) "was cancelled" (Some false) !outcome
    else Alcotest.(check (option bool)) "waits" None !outcome
  in
  let only_if condition process = if condition then [ process ] else [] in
  let others = only_if is_woken wake @ only_if is_cancelled cancel in
  ((Task.process wait :: others) @ List.map fail (Option.to_list near), finally)

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
          Explore.case "roused" (goes_on ~wakes:0 ~rouses:1);
          Explore.case "a wake, roused" (goes_on ~wakes:1 ~rouses:1);
          Explore.case "roused twice" (goes_on ~wakes:0 ~rouses:2);
          Explore.case "two wakes, roused" (goes_on ~wakes:2 ~rouses:1);
        ] );
      ( "in a task",
        [
          Explore.case "a wake" (fun () -> wait ~is_woken:true ());
          Explore.case "a cancellation" (fun () -> wait ~is_cancelled:true ());
          Explore.case "a wake, a cancellation" (fun () ->
              wait ~is_woken:true ~is_cancelled:true ());
          Explore.case "a failure" (fun () -> wait ~near:true ());
          Explore.case "a failure elsewhere" (fun () -> wait ~near:false ());
          Explore.case "a wake, a failure" (fun () -> wait ~is_woken:true ~near:true ());
          Explore.case "a wake, a failure elsewhere" (fun () -> wait ~is_woken:true ~near:false ());
          Explore.case "a cancellation, a failure elsewhere" (fun () ->
              wait ~is_cancelled:true ~near:false ());
        ] );
    ]
