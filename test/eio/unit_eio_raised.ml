(* Exceptions that come from outside of a job's own code fail the job, and leave the Executor_pool as it is. *)

open Test_support
open In_eio
module Executor_pool = Drover_eio.Executor_pool

let rec for_ever () =
  ignore (Sys.opaque_identity (ref 0) : int ref);
  for_ever ()

let by_finaliser () =
  Gc.finalise (fun _ -> Failing.raise_here 1) (ref 0);
  Gc.full_major ();
  for_ever ()

let by_memprof () = Interrupted.at (Interrupted.nth 100) (fun () -> Failing.raise_here 2) for_ever

(* The job's thread is the only one that takes the signal. *)
let by_signal () =
  let others = Thread.sigmask SIG_UNBLOCK [ Sys.sigusr1 ] in
  Fun.protect
    (fun () ->
      Unix.kill (Unix.getpid ()) Sys.sigusr1;
      for_ever ())
    ~finally:(fun () -> ignore (Thread.sigmask SIG_SETMASK others : int list))

let fails n job env =
  let handler = Sys.Signal_handle (fun _ -> Failing.raise_here n) in
  let before = Sys.signal Sys.sigusr1 handler in
  Eio.Switch.run (fun sw ->
      let pool = Executor_pool.create ~sw ~domain_count:2 env#domain_mgr in
      let submit job = Executor_pool.submit pool ~weight:1. job in
      for _ = 1 to 10 do
        let beside, outcome =
          Eio.Fiber.pair
            (fun () -> submit (fun () -> Drover.both (fun () -> 1) (fun () -> 2)))
            (fun () -> submit job)
        in
        check_bool "the job" true (outcome = Error (Failing.Failed n));
        check_bool "the job beside it" true (beside = Ok (1, 2));
        check_bool "a job after it" true (submit (fun () -> 3) = Ok 3)
      done);
  Sys.set_signal Sys.sigusr1 before

let () =
  ignore (Thread.sigmask SIG_BLOCK [ Sys.sigusr1 ] : int list);
  Alcotest.run "Exceptions from outside of jobs"
    [
      ( "a job and its pool",
        [
          case "a finaliser" (fails 1 by_finaliser);
          case "a callback of Memprof" (fails 2 by_memprof);
          case "a signal's handler" (fails 3 by_signal);
        ] );
    ]
