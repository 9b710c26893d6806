(* A task that is cancelled at any allocation of an operation, or whose stack is nearly full, leaves what
   it works on as it should be: no lock is held, all permits are there, nobody waits, and each message
   is there or was received. *)

open Test_support
module Mutex = Drover.Mutex
module Semaphore = Drover.Semaphore
module Condition = Drover.Condition
module Chan = Drover.Chan

exception Break

(* [make ()] is an operation, and a check afterwards, which is given whether the operation has raised. *)

(* A callback cancels the task at that allocation; the task learns of it there, or later, or not at all. *)
let cancelled moment operation =
  let is_raised = ref false in
  let cancelled s =
    try Interrupted.at moment (fun () -> Drover.Scope.cancel s Break) operation
    with Drover.Cancelled _ -> is_raised := true
  in
  (try Drover.Scope.run cancelled with Break -> ());
  !is_raised

let cancelled_at_each_allocation make () =
  let law moment =
    let operation, check = make () in
    check (cancelled moment operation)
  in
  ignore (Interrupted.at_each law : int)

(* The same at each depth of a stack that is nearly full. *)
let at_each_depth make () =
  let pending = ref [] in
  let note check is_raised = pending := (check, is_raised) :: !pending in
  let rec fill n =
    let operation, check = make () in
    (match operation () with () -> note check false | exception Stack_overflow -> note check true);
    fill (n + 1);
    ignore (Sys.opaque_identity n)
  in
  let limit = (Gc.get ()).stack_limit in
  Gc.set { (Gc.get ()) with stack_limit = 32 * 1024 };
  (try fill 0 with Stack_overflow -> ());
  Gc.set { (Gc.get ()) with stack_limit = limit };
  List.iter (fun (check, is_raised) -> check is_raised) !pending;
  Alcotest.(check bool) "it was tried" true (List.length !pending > 100)

let locked expected m = Alcotest.(check bool) "locked" expected (Mutex.is_locked m)

let locked_unless m raised =
  locked (not raised) m;
  if not raised then Mutex.unlock m

let permits n s = Alcotest.(check int) "permits" n (Semaphore.free s)
let if_not b n = if b then 0 else n

let lock () =
  let m = Mutex.create () in
  ((fun () -> Mutex.lock m), locked_unless m)

let unlock () =
  let m = Mutex.create () in
  Mutex.lock m;
  ( (fun () -> Mutex.unlock m),
    fun raised ->
      if not raised then locked false m;
      if Mutex.is_locked m then Mutex.unlock m )

let protect () =
  let m = Mutex.create () and calls = ref 0 in
  ( (fun () -> Mutex.protect m (fun () -> incr calls)),
    fun _ ->
      locked false m;
      Alcotest.(check bool) "once" true (!calls <= 1) )

let acquire () =
  let s = Semaphore.create 3 in
  ((fun () -> Semaphore.acquire s), fun raised -> permits (if raised then 3 else 2) s)

let release () =
  let s = Semaphore.create 3 in
  ((fun () -> Semaphore.release s), fun raised -> permits (if raised then 3 else 4) s)

let within () =
  let s = Semaphore.create 3 in
  ((fun () -> Semaphore.protect s ignore), fun _ -> permits 3 s)

(* To write takes all permits. *)
let rwlocked use () =
  let l = Drover.Rwlock.create () and calls = ref 0 in
  ( (fun () -> use l (fun () -> incr calls)),
    fun _ ->
      Drover.Rwlock.write l ignore;
      Alcotest.(check bool) "once" true (!calls <= 1) )

let length n c = Alcotest.(check int) "messages" n (Chan.length c)

let send channel () =
  let c = channel () in
  ((fun () -> Chan.send c 1), fun raised -> length (if_not raised 1) c)

let recv channel () =
  let c = channel () in
  Chan.send c 1;
  ( (fun () -> ignore (Chan.recv c : int)),
    fun raised ->
      length (if raised then 1 else 0) c;
      if raised then Alcotest.(check int) "the message" 1 (Chan.recv c) )

let select channel () =
  let c = channel () in
  Chan.send c 1;
  let got = ref 0 in
  ( (fun () -> Chan.select [ Chan.receiving c (fun v -> got := v) ]),
    fun _ -> Alcotest.(check int) "got it, or it is there" 1 (!got + Chan.length c) )

let count_down () =
  let l = Drover.Latch.create 1 in
  ( (fun () -> Drover.Latch.count_down l),
    fun raised -> if not raised then Alcotest.(check int) "left" 0 (Drover.Latch.left l) )

let signal () =
  let c = Condition.create () in
  ((fun () -> Condition.signal c), ignore)

let close () =
  let c = Chan.unbounded () in
  ( (fun () -> Chan.close c),
    fun raised -> if not raised then Alcotest.(check bool) "closed" true (Chan.is_closed c) )

let bracket () =
  let acquired = ref 0 and released = ref 0 in
  let acquire () = incr acquired and release () = incr released in
  let fork () = ignore (Drover.both ignore ignore : unit * unit) in
  ( (fun () -> Drover.Scope.bracket ~acquire ~release fork),
    fun raised ->
      Alcotest.(check int) "released" !acquired !released;
      if not raised then Alcotest.(check int) "acquired" 1 !acquired )

(* Another task waits for the caller. *)

let handed_over send () =
  let c = Chan.rendezvous () and got = ref 0 in
  let partner = Begun.task (fun () -> got := Chan.recv c) in
  ( (fun () -> send c),
    fun raised ->
      let still_waits = Chan.try_send c 2 in
      Alcotest.(check bool) "it has sent nothing" raised still_waits;
      Drover.await partner;
      Alcotest.(check int) "got" (if still_waits then 2 else 1) !got )

let permit_passed () =
  let s = Semaphore.create 0 in
  let partner = Begun.task (fun () -> Semaphore.acquire s) in
  ( (fun () -> Semaphore.release s),
    fun raised ->
      if raised then Semaphore.release s;
      Drover.await partner;
      permits 0 s )

let taken_over recv () =
  let c = Chan.rendezvous () and got = ref 0 in
  let partner = Begun.task (fun () -> Chan.send c 1) in
  ( (fun () -> got := recv c),
    fun raised ->
      if raised then got := Option.get (Chan.try_recv c);
      Drover.await partner;
      Alcotest.(check int) "got" 1 !got )

let room_made () =
  let c = Chan.bounded 1 and got = ref 0 in
  Chan.send c 1;
  let partner = Begun.task (fun () -> Chan.send c 2) in
  ( (fun () -> got := Chan.recv c),
    fun raised ->
      if raised then got := Chan.recv c;
      Drover.await partner;
      Alcotest.(check (list int)) "got" [ 1; 2 ] [ !got; Chan.recv c ];
      length 0 c )

let send_selected c =
  Chan.select [ Chan.sending c 1 Fun.id; Chan.receiving (Chan.unbounded ()) ignore ]

let recv_selected c =
  Chan.select [ Chan.receiving (Chan.unbounded ()) Fun.id; Chan.receiving c Fun.id ]

(* The caller waits for what another domain does. *)

let helped start operation check () =
  let go = Atomic.make false in
  let x, help = start () in
  let d =
    Domain.spawn (fun () ->
        while not (Atomic.get go) do
          Domain.cpu_relax ()
        done;
        for _ = 1 to 20_000 do
          Domain.cpu_relax ()
        done;
        help ())
  in
  ( (fun () ->
      Atomic.set go true;
      operation x),
    fun raised ->
      Atomic.set go true;
      Domain.join d;
      check x raised )

let lock_later =
  helped
    (fun () ->
      let m = Mutex.create () in
      Thread.join (Thread.create Mutex.lock m);
      (m, fun () -> Mutex.unlock m))
    Mutex.lock locked_unless

let acquire_later =
  helped
    (fun () ->
      let s = Semaphore.create 0 in
      (s, fun () -> Semaphore.release s))
    (fun s -> Semaphore.acquire s)
    (fun s raised -> permits (if raised then 1 else 0) s)

let recv_later channel =
  helped
    (fun () ->
      let c = channel () in
      (c, fun () -> Chan.send c 1))
    (fun c -> ignore (Chan.recv c : int))
    (fun c raised ->
      length (if raised then 1 else 0) c;
      if raised then Alcotest.(check int) "the message" 1 (Chan.recv c))

let select_later channel =
  helped
    (fun () ->
      let c = channel () and other = channel () and got = ref 0 in
      ((c, other, got), fun () -> Chan.send c 1))
    (fun (c, other, got) ->
      let take v = got := v in
      Chan.select [ Chan.receiving other take; Chan.receiving c take ])
    (fun (c, other, got) _ ->
      Alcotest.(check int) "got it, or it is there" 1 (!got + Chan.length c);
      length 0 other)

let send_later =
  helped
    (fun () ->
      let c = Chan.bounded 1 and got = ref [] in
      Chan.send c 1;
      ((c, got), fun () -> got := [ Chan.recv c ]))
    (fun (c, _) -> Chan.send c 2)
    (fun (c, got) raised ->
      Alcotest.(check (list int)) "the first" [ 1 ] !got;
      if not raised then length 1 c;
      match Chan.try_recv c with
      | None -> length 0 c
      | Some v ->
          Alcotest.(check int) "the second" 2 v;
          length 0 c)

let wait_later =
  helped
    (fun () ->
      let m = Mutex.create () and c = Condition.create () in
      let is_over = Atomic.make false in
      Mutex.lock m;
      let help () =
        while not (Atomic.get is_over) do
          Condition.signal c;
          Domain.cpu_relax ()
        done
      in
      ((m, c, is_over), help))
    (fun (m, c, is_over) ->
      match Condition.wait c m with
      | () -> Atomic.set is_over true
      | exception exn ->
          Atomic.set is_over true;
          raise exn)
    (fun (m, _, _) _ -> locked_unless m false)

let bounded () = Chan.bounded 2
let unbounded () = Chan.unbounded ()

let operations =
  [
    ("lock", lock);
    ("unlock", unlock);
    ("protect", protect);
    ("acquire", acquire);
    ("release", release);
    ("protect, a semaphore", within);
    ("read", rwlocked Drover.Rwlock.read);
    ("write", rwlocked Drover.Rwlock.write);
    ("send", send unbounded);
    ("send, bounded", send bounded);
    ("recv", recv unbounded);
    ("recv, bounded", recv bounded);
    ("select", select unbounded);
    ("count down", count_down);
    ("signal", signal);
    ("close", close);
    ("bracket", bracket);
  ]

let waits =
  [
    ("lock", lock_later);
    ("acquire", acquire_later);
    ("recv", recv_later unbounded);
    ("recv, bounded", recv_later bounded);
    ("select", select_later unbounded);
    ("send", send_later);
    ("a condition", wait_later);
  ]

let meetings =
  [
    ("send", handed_over (fun c -> Chan.send c 1));
    ("select, to send", handed_over send_selected);
    ("release", permit_passed);
    ("recv", taken_over Chan.recv);
    ("select, to receive", taken_over recv_selected);
    ("recv, makes room", room_made);
  ]

exception Failed

(* A loop that fails, and whose other iterations are on their own: its failure stays in it. *)
let failing_loop () =
  let iteration i = if i < 3 then Drover.sleep 0. else raise Failed in
  let loop () =
    match Drover.parallel_for ~start:1 ~finish:6 iteration with
    | () -> Alcotest.fail "it has failed"
    | exception Failed -> ()
  in
  (loop, fun _ -> Drover.Scope.check ())

let inside f () = Drover.run ~domains:1 f
let cancelled_at_each (name, make) = Watchdog.case name (inside (cancelled_at_each_allocation make))

let () =
  Alcotest.run "unit interrupted"
    [
      ("cancelled", List.map cancelled_at_each operations);
      ("cancelled, a partner waits", List.map cancelled_at_each meetings);
      ("cancelled, waiting", List.map cancelled_at_each waits);
      ( "on a full stack",
        List.map (fun (name, make) -> Watchdog.case name (at_each_depth make)) operations );
      ( "on a full stack, in a task",
        [
          Watchdog.case "a loop that fails" (inside (at_each_depth failing_loop));
          Watchdog.case "bracket" (inside (at_each_depth bracket));
        ] );
    ]
