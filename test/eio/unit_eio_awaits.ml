(* Calls of Drover itself from fibers, which suspend as those of Drover_eio do. *)

open Test_support
open In_eio

let suspends make _env =
  let { Awaits.wait; go; _ } = make () in
  Eio.Fiber.both wait go

let cancelled make _env =
  let { Awaits.wait; again; _ } = make () in
  Eio.Fiber.first wait ignore;
  again ()

let timed_out make env =
  let { Awaits.wait; again; _ } = make () in
  (match Eio.Time.with_timeout_exn env#clock 0.002 wait with
  | () -> Alcotest.fail "nobody has ended the wait"
  | exception Eio.Time.Timeout -> ());
  again ()

(* Not even a fiber that is cancelled already leaves anything behind. *)
let cancelled_before make _env =
  let { Awaits.wait; again; _ } = make () in
  (match
     Eio.Cancel.sub (fun context ->
         Eio.Cancel.cancel context Exit;
         wait ())
   with
  | () -> Alcotest.fail "the fiber goes on"
  | exception Eio.Cancel.Cancelled Exit -> ());
  again ()

let but_sleep = List.filter (fun (name, _) -> name <> "sleep") Awaits.all
let each waits f = List.map (fun (name, make) -> case name (f make)) waits

(* Loops of several domains wait for the same tasks. *)
let several_loops env =
  let promise, resolver = Drover.Promise.create () in
  let task = Drover.async (fun () -> Drover.await promise) in
  let arrived = Atomic.make 0 in
  let wait () =
    Atomic.incr arrived;
    Drover.await task
  in
  let loop () =
    Eio.Domain_manager.run env#domain_mgr (fun () -> Eio.Fiber.all (List.init 20 (Fun.const wait)))
  in
  let go () =
    until (fun () -> Atomic.get arrived = 60);
    Drover.Promise.fulfil resolver ()
  in
  Eio.Fiber.all [ loop; loop; loop; go ]

(* The rest of its domain has no fibers. *)
let in_a_systhread _env =
  let sum () = Drover.parallel_reduce ~start:1 ~finish:100 ~init:0 ~combine:( + ) Fun.id in
  check_int "sum" 5050 (Eio_unix.run_in_systhread sum)

let beside_the_bridge _env =
  let promise, resolver = Drover.Promise.create () in
  let wait () = Drover_eio.run (fun () -> Drover_eio.in_loop (fun () -> Drover.await promise)) in
  Eio.Fiber.both
    (fun () -> check_int "value" 1 (wait ()))
    (fun () -> Drover.Promise.fulfil resolver 1)

let () =
  Alcotest.run "unit eio awaits"
    [
      ("suspends", each Awaits.all suspends);
      ("cancelled", each but_sleep cancelled);
      ("cancelled before", each but_sleep cancelled_before);
      ("timed out", each but_sleep timed_out);
      ( "loops",
        [
          case "several" several_loops;
          case "in a systhread" in_a_systhread;
          case "beside the bridge" beside_the_bridge;
        ] );
    ]
