(* Cancellation: that of a fiber reaches its task, and what becomes of the fiber. *)

open Test_support
open In_eio

exception Reason

(* [f ()], which is cancelled because of [Reason] when [condition ()] holds. *)
let cancelled_when condition f =
  match
    Eio.Cancel.sub (fun context ->
        Eio.Fiber.both f (fun () ->
            until condition;
            Eio.Cancel.cancel context Reason);
        Eio.Fiber.check ())
  with
  | () -> Alcotest.fail "it was not cancelled"
  | exception Eio.Cancel.Cancelled Reason -> ()

let before_it_starts _env =
  let ran = Atomic.make 0 in
  let task () = Drover_eio.run (fun () -> Atomic.incr ran) in
  Eio.Switch.run (fun sw ->
      hold (fun () ->
          let wanted = List.init 10 (fun _ -> Eio.Fiber.fork_promise ~sw task) in
          (* Returns although no worker has come to it. *)
          cancelled_when (fun () -> true) (fun () -> Eio.Fiber.List.iter task [ (); (); () ]);
          check_bool "the others wait" true
            (List.for_all (fun p -> not (Eio.Promise.is_resolved p)) wanted)));
  check_int "ran" 10 (Atomic.get ran)

let already _env =
  let ran = Atomic.make false in
  (match
     Eio.Cancel.sub (fun context ->
         Eio.Cancel.cancel context Reason;
         Drover_eio.run (fun () -> Atomic.set ran true))
   with
  | () -> Alcotest.fail "it was not cancelled"
  | exception Eio.Cancel.Cancelled Reason -> ());
  check_bool "ran" false (Atomic.get ran)

(* What it raises in the task is the reason, and the fiber goes on when the task has ended. *)
let while_it_waits _env =
  let waits = Atomic.make false and ended = Atomic.make false in
  let task () =
    Atomic.set waits true;
    try never ()
    with Drover.Cancelled Reason as exn ->
      Drover.Scope.protect (fun () -> Drover.sleep 0.01);
      Atomic.set ended true;
      raise exn
  in
  cancelled_when (fun () -> Atomic.get waits) (fun () -> Drover_eio.run task);
  check_bool "ended" true (Atomic.get ended)

let while_it_computes _env =
  let started = Atomic.make false in
  cancelled_when (fun () -> Atomic.get started) (fun () -> Drover_eio.run (fun () -> spin started))

(* Code that never looks. *)

let spin_blindly started () =
  Atomic.set started true;
  while true do
    ignore (Sys.opaque_identity ())
  done

let where_it_never_looks _env =
  let started = Atomic.make false in
  let task () = Drover.Scope.interruptible (spin_blindly started) in
  cancelled_when (fun () -> Atomic.get started) (fun () -> Drover_eio.run task)

let beyond_its_limits _env =
  let task () = Drover.Scope.limited ~timeout:0.01 (spin_blindly (Atomic.make false)) in
  match Drover_eio.run task with
  | () -> Alcotest.fail "it ended"
  | exception Drover.Scope.Timeout -> ()

(* The whole of a fork. *)
let while_it_forks _env =
  let started = Array.init 2 (fun _ -> Atomic.make false) and ended = Atomic.make 0 in
  let side i () = Fun.protect (fun () -> spin started.(i)) ~finally:(fun () -> Atomic.incr ended) in
  let both () = ignore (Drover.both (side 0) (side 1) : unit * unit) in
  cancelled_when (fun () -> Atomic.get started.(0)) (fun () -> Drover_eio.run both);
  let begun = Array.fold_left (fun n s -> if Atomic.get s then n + 1 else n) 0 started in
  check_int "ended" begun (Atomic.get ended)

(* What the task has taken is not lost. *)
let a_value_nevertheless _env =
  let started = Atomic.make false and value = ref 0 in
  let task () = match spin started with () -> 0 | exception Drover.Cancelled Reason -> 7 in
  cancelled_when (fun () -> Atomic.get started) (fun () -> value := Drover_eio.run task);
  check_int "value" 7 !value

let a_failure_nevertheless _env =
  let started = Atomic.make false in
  let task () =
    match spin started with () -> () | exception Drover.Cancelled _ -> Failing.raise_here 8
  in
  match
    Eio.Fiber.both
      (fun () -> Drover_eio.run task)
      (fun () ->
        until (fun () -> Atomic.get started);
        raise Reason)
  with
  | () -> Alcotest.fail "nothing was raised"
  | exception Eio.Exn.Multiple exns ->
      let has exn = List.exists (fun (e, _) -> e = exn) exns in
      check_bool "both" true (has Reason && has (Failing.Failed 8))

(* What cancels a task from inside is a failure of it. *)
let from_inside _env =
  let task () =
    Drover_bridge.canceller () Reason;
    Drover.Scope.check ()
  in
  match Drover_eio.run task with
  | () -> Alcotest.fail "nothing was raised"
  | exception Drover.Cancelled Reason -> ()

let protected _env =
  let started = Atomic.make false and value = ref 0 in
  let task () =
    Atomic.set started true;
    Drover.sleep 0.01;
    9
  in
  cancelled_when
    (fun () -> Atomic.get started)
    (fun () -> Eio.Cancel.protect (fun () -> value := Drover_eio.run task));
  check_int "value" 9 !value

(* As Eio's users cancel *)

let first _env =
  let slow () = Drover_eio.run never and quick () = Drover_eio.run (fun () -> 7) in
  check_int "first" 7 (Eio.Fiber.first slow quick);
  check_int "first" 7 (Eio.Fiber.first quick slow)

let timeout env =
  let clock = env#clock in
  let compute () = Drover_eio.run (fun () -> spin (Atomic.make false)) in
  check_bool "timeout" true (Eio.Time.with_timeout clock 0.01 compute = Error `Timeout);
  (match Eio.Time.with_timeout_exn clock 0.01 compute with
  | () -> Alcotest.fail "no timeout"
  | exception Eio.Time.Timeout -> ());
  let value = Eio.Time.with_timeout clock 100. (fun () -> Ok (Drover_eio.run (fun () -> 3))) in
  check_bool "in time" true (value = Ok 3)

(* A task that fails ends the switch, and so the tasks of its other fibers. *)
let switch _env =
  let started = Atomic.make 0 and ended = Atomic.make 0 in
  let task () =
    Atomic.incr started;
    Fun.protect never ~finally:(fun () -> Atomic.incr ended)
  in
  let scene () =
    Eio.Switch.run (fun sw ->
        for _ = 1 to 10 do
          Eio.Fiber.fork ~sw (fun () -> Drover_eio.run task)
        done;
        until (fun () -> Atomic.get started = 10);
        Eio.Fiber.fork ~sw (fun () -> Drover_eio.run (fun () -> Failing.raise_here 5)))
  in
  Failing.check 5 scene;
  check_int "ended" 10 (Atomic.get ended)

let daemon _env =
  let ended = Atomic.make false and started = Atomic.make false in
  Eio.Switch.run (fun sw ->
      Eio.Fiber.fork_daemon ~sw (fun () ->
          Drover_eio.run (fun () ->
              Fun.protect
                ~finally:(fun () -> Atomic.set ended true)
                (fun () ->
                  Atomic.set started true;
                  never ())));
      until (fun () -> Atomic.get started));
  check_bool "ended" true (Atomic.get ended)

let () =
  Alcotest.run "unit eio cancel"
    [
      ( "a fiber's",
        [
          case "before its task starts" before_it_starts;
          case "before it runs one" already;
          case "while its task waits" while_it_waits;
          case "while its task computes" while_it_computes;
          case "while its task forks" while_it_forks;
          case "where its task never looks" where_it_never_looks;
          case "beyond its limits" beyond_its_limits;
          case "a value nevertheless" a_value_nevertheless;
          case "a failure nevertheless" a_failure_nevertheless;
          case "protected" protected;
        ] );
      ("a task's", [ case "from inside" from_inside ]);
      ( "as Eio's users do",
        [ case "first" first; case "timeout" timeout; case "switch" switch; case "daemon" daemon ]
      );
    ]
