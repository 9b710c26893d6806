(* Something raises in a loop: at its n-th allocation, for each n, a callback of Memprof, which stands
   for a signal's handler and for a finaliser too; and at any safepoint a signal's handler. No
   iteration is done twice; none is left out of a call that returns; none begins when the call has
   ended; and the next loop finds nothing wrong. *)

open Test_support

exception Injected

(* On the domain that started it, or on another one to which the task has come. *)
let stop () = try Gc.Memprof.stop () with Failure _ -> ()

let injected n ~times f =
  let count = Atomic.make 0 in
  let hit _ =
    let i = Atomic.fetch_and_add count 1 in
    if i >= n && i < n + times then raise Injected else None
  in
  let tracker = { Gc.Memprof.null_tracker with alloc_minor = hit; alloc_major = hit } in
  ignore (Gc.Memprof.start ~sampling_rate:1.0 ~callstack_size:0 tracker : Gc.Memprof.t);
  f ();
  stop ()

let size = 100
let forms = Loop_forms.over size

let attempt domains loop ~times n =
  let visits = Array.init size (fun _ -> Atomic.make 0) and has_ended = Atomic.make false in
  let body i =
    if Atomic.get has_ended then Atomic.incr visits.(i);
    Atomic.incr visits.(i);
    if i land 15 = 3 then Drover.await (Drover.async ignore)
  in
  let check_visits ~returned =
    let check i v =
      let v = Atomic.get v in
      if v > 1 || (returned && v = 0) then
        Alcotest.failf "allocation %d: iteration %d was done %d times" n i v
    in
    Array.iteri check visits
  in
  let within () =
    (match injected n ~times (fun () -> loop body) with
    | () -> check_visits ~returned:true
    | exception (Injected | Drover.Cancelled Injected) -> stop ());
    Atomic.set has_ended true;
    Drover.parallel_for ~start:1 ~finish:50 (fun _ -> Drover.await (Drover.async ignore))
  in
  (* It may be raised between two tasks: then [run] raises it. *)
  (match Drover.run ~domains within with () -> () | exception Injected -> ());
  stop ();
  check_visits ~returned:false

let every ~times domains loop () =
  for n = 1 to 250 do
    attempt domains loop ~times n
  done

(* A loop looks whether it is cancelled just when it has given a part away, and in a scope it looks at
   more than one fiber: a safepoint lies between. The part must not be lost, or its loop never ends. *)

type aim = No_more | Not_now | Now

let aim = Atomic.make No_more
let strike _ = if Atomic.compare_and_set aim Now No_more then raise Injected

let within_scope _ =
  let it_value = 1e-6 *. float (5 + Random.int 40) in
  ignore (Unix.setitimer ITIMER_REAL { it_interval = 0.; it_value } : Unix.interval_timer_status);
  ignore (Atomic.compare_and_set aim Not_now Now : bool);
  for _ = 1 to 30 do
    Drover.parallel_for ~start:1 ~finish:4 (fun i ->
        if i = 2 then Drover.await (Drover.async ignore))
  done;
  ignore (Atomic.compare_and_set aim Now Not_now : bool)

(* Once in a [run], as a second strike may end it before its tasks have ended. *)
let rec until_struck () =
  if Atomic.get aim <> No_more then begin
    Drover.Scope.run within_scope;
    until_struck ()
  end

let at_any_safepoint domains () =
  Sys.set_signal Sys.sigalrm (Signal_handle strike);
  for _ = 1 to 500 do
    Atomic.set aim Not_now;
    match Drover.run ~domains until_struck with
    | () -> Alcotest.fail "was not struck"
    | exception (Injected | Drover.Cancelled Injected) -> ()
  done

let () =
  let case ~times domains (name, loop) =
    Watchdog.case (Printf.sprintf "%s, %d domains" name domains) (every ~times domains loop)
  in
  let cases ~times = List.concat_map (fun d -> List.map (case ~times d) forms) [ 1; 2 ] in
  Alcotest.run "unit loop_faults"
    [
      ("each allocation raises", cases ~times:1);
      ("and the next one, too", cases ~times:2);
      ("and those after it", cases ~times:5);
      ( "a signal's handler raises",
        let case domains =
          Watchdog.case (Printf.sprintf "%d domains" domains) (at_any_safepoint domains)
        in
        List.map case [ 1; 2; 4 ] );
    ]
