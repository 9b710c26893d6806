(* What holds when a program is over, whatever has happened meanwhile: nothing is lost, nothing is
   locked, and everything serves. Each check may find that something hangs, so it says where it
   is. *)

open World

let patience = 10. (* seconds *)

let rec until what w holds left =
  if not (holds ()) then
    if left <= 0. then complain w what
    else begin
      Thread.delay 1e-3;
      until what w holds (left -. 1e-3)
    end

let until what w holds = until what w holds patience
let demand w holds what = if not holds then complain w what
let count p ledger = List.length (List.filter p (Atomic.get ledger))
let has_returned e = Atomic.get e.returned > 0
let effects e = Atomic.get e.effects

(* All tasks have ended, though whoever waited for them may have gone, even before they began. *)
let tasks w =
  let all_settled () = List.for_all Drover.Promise.is_settled (Atomic.get w.launched) in
  until "tasks that were started do not end" w all_settled;
  let all_over () = Atomic.get w.ended = Atomic.get w.started in
  until "tasks that have begun do not end" w all_over

let locks w =
  let check g =
    let m = g.guard in
    until "a mutex stays locked" w (fun () -> not (Drover.Mutex.is_locked m));
    demand w (Drover.Mutex.try_lock m) "a mutex cannot be locked";
    demand w (not (Drover.Mutex.try_lock m)) "a mutex can be locked twice";
    Drover.Mutex.unlock m;
    Drover.Pool.run w.other (fun () -> Drover.Mutex.protect m ignore);
    demand w (Atomic.get g.crowded = 0) "two tasks have held a mutex";
    demand w (Atomic.get g.inside = 0) "a task is still within a mutex"
  in
  Array.iter check w.locks;
  demand w (not (Drover.Mutex.is_locked w.monitor)) "the monitor stays locked"

let permits w =
  let check g =
    let free () = Drover.Semaphore.free g.guard in
    until "a permit is lost" w (fun () -> free () = g.most);
    for _ = 1 to g.most do
      demand w (Drover.Semaphore.try_acquire g.guard) "a free permit is not to be had"
    done;
    demand w (not (Drover.Semaphore.try_acquire g.guard)) "a permit too many";
    for _ = 1 to g.most do
      Drover.Semaphore.release g.guard
    done;
    demand w (free () = g.most) "a permit goes to nobody";
    demand w (Atomic.get g.crowded = 0) "more tasks than permits"
  in
  Array.iter check w.permits

let rwlock w =
  Drover.Pool.run w.other (fun () -> Drover.Rwlock.write w.rwlock ignore);
  Drover.Pool.run w.other (fun () -> Drover.Rwlock.read w.rwlock ignore);
  demand w (Atomic.get w.writers.crowded = 0) "a writer beside others";
  demand w (Atomic.get w.readers.crowded = 0) "a reader beside a writer"

let brackets w =
  let all_released () = Atomic.get w.acquired = Atomic.get w.released in
  until "what a bracket has acquired is not released" w all_released

let signal_handler w = demand w (has_handler ()) "a signal has another handler than before, or none"

let monitor w =
  w.tokens <- 0;
  let wait () = Drover.Scope.with_timeout patience (fun () -> wait_for w) in
  (match Drover.Pool.run w.other (fun () -> Drover.both wait (fun () -> signal w)) with
  | (), () -> ()
  | exception e -> complain w ("a condition: " ^ Printexc.to_string e));
  demand w (w.tokens = 0) "a condition: a token is left"

(* What is left in a channel is received; then it is empty, and passes on what it should. *)
let channel w i =
  let c = w.chans.(i) in
  let fresh () = { id = -1; returned = Atomic.make 0; effects = Atomic.make 0 } in
  let rec drain () =
    match Drover.Chan.try_recv c with
    | Some e ->
        one_more e.effects;
        drain ()
    | None -> ()
  in
  drain ();
  demand w (Drover.Chan.length c = 0) "an empty channel has a length";
  let rec fill n = if n < 3 && Drover.Chan.try_send c (fresh ()) then fill (n + 1) else n in
  let room = fill 0 in
  demand w (room = [| 0; capacity; 3 |].(i)) (Printf.sprintf "channel %d has room for %d" i room);
  for _ = 1 to room do
    demand w (Drover.Chan.try_recv c <> None) "a message that was just sent is lost"
  done;
  let e = fresh () in
  let pass () = Drover.both (fun () -> Drover.Chan.send c e) (fun () -> Drover.Chan.recv c == e) in
  match Drover.Pool.run w.other (fun () -> Drover.Scope.with_timeout patience pass) with
  | (), same -> demand w same "another message than the one that was sent"
  | exception e -> complain w ("a channel: " ^ Printexc.to_string e)

let channels w =
  List.iter (channel w) [ 0; 1; 2 ];
  let lost = count (fun e -> has_returned e && effects e = 0) w.sends in
  let unsure = count (fun e -> not (has_returned e)) w.recvs in
  demand w (lost <= unsure)
    (Printf.sprintf "%d messages are lost, and %d receives have raised" lost unsure);
  demand w (count (fun e -> effects e > 1) w.sends = 0) "a message was received twice"

let barrier w =
  let wait () = Drover.Barrier.wait w.barrier in
  let round () = Drover.Scope.with_timeout patience (fun () -> Drover.both wait wait) in
  match Drover.Pool.run w.other round with
  | (), () -> ()
  | exception e -> complain w ("a barrier: " ^ Printexc.to_string e)

let batch w =
  submit w;
  demand w (count (fun e -> has_returned e && effects e <> 1) w.submits = 0) "submit: not applied";
  demand w (count (fun e -> effects e > 1) w.submits = 0) "an operation was applied twice"

(* What returned is there, what raised may be; and nothing else is. *)
let bindings w what ledger mem length =
  let is_missing e = has_returned e && not (mem e.id) in
  demand w (count is_missing ledger = 0) (what ^ ": a binding is missing");
  demand w (length = count (fun e -> mem e.id) ledger) (what ^ ": another length")

let structures w =
  insert w;
  put w;
  add w;
  (try Ordered_map.validate w.map; Hash_table.validate w.table
   with Failure text -> complain w text) [@ocamlformat "disable"];
  bindings w "Ordered_map" w.inserts (Ordered_map.mem w.map) (Ordered_map.length w.map);
  bindings w "Hash_table" w.puts (Hash_table.mem w.table) (Hash_table.length w.table);
  let n = Counter.get w.counter in
  let least = count has_returned w.adds and most = count (fun _ -> true) w.adds in
  demand w
    (least <= n && n <= most)
    (Printf.sprintf "a counter stands at %d, not within %d..%d" n least most)

(* Timers, threads for blocking calls, the default pool. *)
let services w =
  let never () = Drover.await (fst (Drover.Promise.create ())) in
  let use () =
    Drover.sleep 1e-4;
    (match Drover.Scope.with_timeout 1e-4 never with
    | () -> complain w "with_timeout returns"
    | exception Drover.Scope.Timeout -> ());
    Drover.blocking ignore
  in
  use ();
  Drover.run ~domains:2 (fun () -> ignore (Drover.both use use : unit * unit));
  Drover.Pool.run w.other use;
  demand w (Drover.await (Drover.async (fun () -> 1)) = 1) "async"

let no_signals w =
  demand w (Thread.sigmask SIG_BLOCK [] = []) "signals stay blocked";
  demand w (Drover.Pool.current () = None) "the main program is a worker";
  demand w (Drover.Local.get w.local = 0) "the main program has a local value"

let close w = Drover.Pool.close w.other

let checks =
  [
    ("tasks", tasks);
    ("the main program", no_signals);
    ("brackets", brackets);
    ("the signal's handler", signal_handler);
    ("locks", locks);
    ("permits", permits);
    ("rwlock", rwlock);
    ("the monitor", monitor);
    ("the barrier", barrier);
    ("channels", channels);
    ("the batch object", batch);
    ("structures", structures);
    ("services", services);
    ("closing a pool", close);
    ("no tasks afterwards", tasks);
  ]

let check w ~guard =
  List.iter
    (fun (name, f) ->
      guard name (fun () ->
          match f w with () -> () | exception e -> complain w (name ^ ": " ^ Printexc.to_string e)))
    checks
