(* A worker goes on to look around at each minor collection, whatever interrupts a look. *)

open Test_support

exception Interrupted

let minor_collections () = (Gc.quick_stat ()).minor_collections

let allocate_until condition =
  while not (condition ()) do
    ignore (Sys.opaque_identity (ref 0))
  done

(* What a timer calls raises in the look, once. *)
let interrupt_a_look () =
  let is_due = ref true in
  let call () =
    if !is_due then begin
      is_due := false;
      raise Interrupted
    end
  in
  match
    let timer = Poller.after 0. call in
    Gc.minor ();
    Timers.cancel timer
  with
  | () -> ()
  | exception Interrupted -> ()

(* Only such a look can stop it. *)
let stopped_by_a_look () =
  let never () = allocate_until (fun () -> false) in
  match Limits.limited ~timeout:0.01 never with
  | () -> Alcotest.fail "it has ended"
  | exception Limits.Timeout -> ()

let still_looks () =
  Pool.run_in_new ~domains:1 (fun () ->
      (* The finaliser is made with the first task. *)
      let before = minor_collections () in
      allocate_until (fun () -> minor_collections () > before + 1);
      for _ = 1 to 10 do
        interrupt_a_look ();
        stopped_by_a_look ()
      done)

(* Its thread is wanted elsewhere, but the alert is lost: the worker writes what it was about to write then. *)
let sees_call () =
  Pool.run_in_new ~domains:1 (fun () ->
      let w = Worker.here () in
      Slice.call w;
      w.to_look <- false;
      w.limit <- Array.length w.stack;
      let before = minor_collections () in
      allocate_until (fun () -> minor_collections () > before + 1);
      Alcotest.(check (pair bool int)) "looks around" (true, 0) (w.to_look, w.limit);
      ignore (Slice.take_call w : bool))

let () =
  Alcotest.run "inside ticks"
    [
      ("interrupted", [ Watchdog.case "goes on" still_looks ]);
      ("alerts", [ Watchdog.case "a call that was not heard" sees_call ]);
    ]
