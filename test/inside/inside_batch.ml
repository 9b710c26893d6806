(* What a batch object needs is there before it is needed. *)

(* The default pool, which may have to serve what is queued, takes long to make: signals whose handlers
   raise could come more often than that. *)
let pool_before_queue () =
  let is_open = Atomic.make false in
  let pool_open _ = Atomic.set is_open true in
  Hooks.installed := { !Hooks.installed with pool_open };
  let batch = ref None and has_begun = Atomic.make false and was_open = Atomic.make false in
  let apply _ =
    if not (Atomic.exchange has_begun true) then begin
      let { Batch_object.queue; _ } = Option.get !batch in
      Test_support.Spin.until (fun () -> not (Batch_queue.is_busy queue));
      Atomic.set was_open (Atomic.get is_open)
    end
  in
  let b = Batch.create apply in
  batch := Some b;
  let first = Domain.spawn (fun () -> Batch.submit b ()) in
  Test_support.Spin.until (fun () -> Atomic.get has_begun);
  Batch.submit b ();
  Domain.join first;
  Alcotest.(check bool) "the pool was there" true (Atomic.get was_open)

let () =
  Alcotest.run "inside batch"
    [ ("queue", [ Test_support.Watchdog.case "the pool is there before" pool_before_queue ]) ]
