(* Critical sections under what raises at any safepoint. *)

exception Break

(* Calls [f] while a handler raises [Break] every [interval] seconds, until [f] ends; says how many it
   raised. *)
let under_fire ~interval f =
  let breaks = ref 0 and armed = ref true in
  let fire _ =
    if !armed then begin
      incr breaks;
      raise Break
    end
  in
  let before = Sys.signal Sys.sigalrm (Signal_handle fire) in
  let set seconds =
    ignore (Unix.setitimer ITIMER_REAL { it_interval = seconds; it_value = seconds })
  in
  let rec survive () = try f () with Break -> survive () in
  (try
     set interval;
     survive ();
     armed := false
   with Break -> armed := false);
  set 0.;
  Sys.set_signal Sys.sigalrm before;
  !breaks

(* Both halves, or neither, whatever raises between them. *)
let is_finished () =
  let first = Atomic.make 0 and second = Atomic.make 0 in
  let garbage = ref [] in
  let change n () =
    garbage := List.init 100 Fun.id;
    if Atomic.get second < n then Atomic.incr second;
    garbage := List.init 100 Fun.id
  in
  let[@poll error] begin_change () = ignore (Atomic.fetch_and_add first 1 : int) in
  let whole n =
    let second_half = change n in
    begin_change ();
    Critical.finish second_half
  in
  let rec go n =
    if n <= 20_000 then begin
      (* Between the first step and [finish] there is no safepoint. *)
      (try whole n with Break -> ());
      go (Atomic.get first + 1)
    end
  in
  let breaks = under_fire ~interval:50e-6 (fun () -> go (Atomic.get first + 1)) in
  Alcotest.(check int) "second halves" (Atomic.get first) (Atomic.get second);
  Alcotest.(check bool) "some were interrupted" true (breaks > 0)

let raises_the_first () =
  let calls = ref 0 in
  let step () =
    incr calls;
    if !calls < 3 then failwith (string_of_int !calls)
  in
  Alcotest.check_raises "the first" (Failure "1") (fun () -> Critical.finish step);
  Alcotest.(check int) "until it returns" 3 !calls

(* At every depth of a stack that is nearly full: after [reserve_stack], calls have room. *)
let has_room () =
  let rec calls n = if n = 0 then 0 else 1 + Sys.opaque_identity (calls (n - 1)) in
  let bad = ref 0 and good = ref 0 in
  let rec fill () =
    (match Critical.reserve_stack () with
    | () -> ( match calls 20 with _ -> incr good | exception Stack_overflow -> incr bad)
    | exception Stack_overflow -> ());
    ignore (Sys.opaque_identity (fill ()) : unit)
  in
  let limit = (Gc.get ()).stack_limit in
  Gc.set { (Gc.get ()) with stack_limit = 32 * 1024 };
  (try fill () with Stack_overflow -> ());
  Gc.set { (Gc.get ()) with stack_limit = limit };
  Alcotest.(check int) "overflows after it" 0 !bad;
  Alcotest.(check bool) "it was tried" true (!good > 100)

let () =
  let case = Test_support.Watchdog.case in
  Alcotest.run "critical"
    [
      ( "finish",
        [
          case "a second half is finished whatever is raised" is_finished;
          case "what was raised first is raised" raises_the_first;
        ] );
      ("reserve_stack", [ case "then there is room" has_room ]);
    ]
