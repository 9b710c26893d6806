(* What raises on a worker, at any allocation, leaves no fiber waiting. Only the calls of Eio's that
   wake a fiber are spared: these are Eio's own. *)

open In_eio

exception Break

let loop = Domain.self ()
let left = Atomic.make 0 (* allocations on workers until one raises; 0 when none does *)
let has_raised = Atomic.make false

(* Nor does the workers' finaliser raise, as one cannot see whether what it has interrupted is Eio's. *)
let spared = [ "Eio"; "Drover_engine__Ticker" ]

let is_spared slot =
  match Printexc.Slot.name slot with
  | Some name -> List.exists (fun prefix -> String.starts_with ~prefix name) spared
  | None -> false

let is_inside_spared callstack =
  match Printexc.backtrace_slots callstack with
  | Some slots -> Array.exists is_spared slots
  | None -> false

let on_alloc (allocation : Gc.Memprof.allocation) =
  if
    Atomic.get left > 0
    && Domain.self () <> loop
    && (not (is_inside_spared allocation.callstack))
    && Atomic.fetch_and_add left (-1) = 1
  then begin
    Atomic.set has_raised true;
    raise Break
  end;
  None

(* All domains that this one starts are in its profile. *)
let install () =
  Printexc.record_backtrace true;
  Drover.Promise.on_unawaited_failure (fun _ _ -> ());
  let tracker = { Gc.Memprof.null_tracker with alloc_minor = on_alloc; alloc_major = on_alloc } in
  ignore (Gc.Memprof.start ~sampling_rate:1. ~callstack_size:30 tracker : Gc.Memprof.t)

let arm n =
  Atomic.set has_raised false;
  Atomic.set left n

let disarm () = Atomic.set left 0

(* [law n] for n = 1, 2, ..., as many as a worker allocates for a job, and more. Which of them are
   the job's depends on how soon its fiber hears of the end. *)
let at_each law =
  let raised = ref 0 in
  for n = 1 to 80 do
    law n;
    disarm ();
    if Atomic.get has_raised then incr raised
  done;
  check_bool "some have raised" true (!raised > 0)

let check_outcome expected f =
  match f () with
  | v -> check_int "value" expected v
  | exception (Break | Drover.Cancelled Break) -> ()

let with_pool f env =
  let pool = Drover.Pool.create ~domains:1 () in
  (* A domain that is being born is OCaml's own. *)
  Drover_eio.run ~pool ignore;
  f env pool;
  disarm ();
  Drover.Pool.close pool

(* The task, from its first instruction to what its worker does when it has ended. *)
let a_task _env pool =
  at_each (fun n ->
      check_outcome n (fun () ->
          Drover_eio.run ~pool (fun () ->
              arm n;
              n));
      disarm ();
      check_int "the next" n (Drover_eio.run ~pool (fun () -> n)))

let a_start _env pool =
  at_each (fun n ->
      arm n;
      check_outcome n (fun () -> Drover_eio.run ~pool (fun () -> n));
      disarm ();
      check_int "the next" n (Drover_eio.run ~pool (fun () -> n)))

(* What is requested is done at most once. *)
let a_request _env pool =
  at_each (fun n ->
      let calls = ref 0 in
      check_outcome n (fun () ->
          Drover_eio.run ~pool (fun () ->
              arm n;
              Drover_eio.in_loop (fun () ->
                  incr calls;
                  n)));
      disarm ();
      check_bool "calls" true (!calls <= 1);
      check_int "the next" n (Drover_eio.run ~pool (fun () -> Drover_eio.in_loop (fun () -> n))))

(* The end of one starts the other. *)
let a_job env =
  Eio.Switch.run (fun sw ->
      let pool = Drover_eio.Executor_pool.create ~sw ~domain_count:1 (Eio.Stdenv.domain_mgr env) in
      let submit f = Drover_eio.Executor_pool.submit_exn pool ~weight:1. f in
      at_each (fun n ->
          Eio.Fiber.both
            (fun () ->
              check_outcome n (fun () ->
                  submit (fun () ->
                      arm n;
                      n)))
            (fun () -> check_outcome n (fun () -> submit (fun () -> n)));
          disarm ();
          check_int "the next" n (submit (fun () -> n))))

let () =
  install ();
  Alcotest.run "unit eio faults"
    [
      ( "interrupted at any allocation",
        [
          case "the end of a task" (with_pool a_task);
          case "its start" (with_pool a_start);
          case "a request" (with_pool a_request);
          case "a job" a_job;
        ] );
    ]
