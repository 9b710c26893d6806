(* Who waits is woken, once, whoever comes first. *)

open Case

let promise s =
  let p, r = Drover.Promise.create () and got = Atomic.make 0 in
  let wait _ =
    work s 20_000;
    if Drover.await p = 7 then one_more got
  in
  if s.run (fun () -> beside s ~tasks:12 wait (fun () -> Drover.Promise.fulfil r 7)) then
    equal s "who got the value" 12 (Atomic.get got)

let wakes = ref false

(* So many are woken that the deque of the waker grows. Others have begun them, and the waker does not wait, so that it
   stays the main thread. *)
let full_deque s =
  let wake_all () =
    let all = Stdlib.List.init 40 (fun _ -> Drover.Promise.create ()) and waiting = Atomic.make 0 in
    let wait (p, _) =
      Drover.async (fun () ->
          one_more waiting;
          Drover.await p)
    in
    let tasks = Drover.async (fun () -> Stdlib.List.map wait all) in
    if s.domains > 1 then reach waiting 40;
    wakes := true;
    Stdlib.List.iter (fun (_, r) -> Drover.Promise.fulfil r ()) all;
    wakes := false;
    Stdlib.List.iter Drover.await (Drover.await tasks)
  in
  for _ = 1 to 4 do
    expect s "the main task has failed" (s.run wake_all)
  done

(* Thieves are awake, and take what has just been put into the deque. *)
let burst s =
  let ran = tally 60 in
  let task i () =
    work s 2_000;
    one_more ran.(i)
  in
  let start () =
    Drover.Scope.run (fun scope ->
        for i = 0 to 59 do
          work s 1_000;
          Drover.Scope.spawn scope (task i)
        done)
  in
  if s.run start then each_once s "task" ran

let messages = 30

let sends chan s i =
  for n = 0 to (messages / 3) - 1 do
    work s 5_000;
    Drover.Chan.send chan ((n * 3) + i - 1)
  done

let channel make s =
  let chan = make () and seen = tally messages in
  let receive m =
    work s 10_000;
    one_more seen.(m)
  in
  let receivers () =
    beside s ~tasks:4
      (fun _ -> Drover.Chan.iter receive chan)
      (fun () ->
        beside s ~tasks:3 (sends chan s) ignore;
        Drover.Chan.close chan)
  in
  if s.run receivers then each_once s "message" seen

let select s =
  let a = Drover.Chan.rendezvous () and b = Drover.Chan.bounded 2 in
  let seen = tally (2 * messages) in
  let receive _ =
    let see offset m = one_more seen.(offset + m) in
    for _ = 1 to messages / 2 do
      work s 5_000;
      Drover.Chan.(select [ receiving a (see 0); receiving b (see messages) ])
    done
  in
  let play () =
    beside s ~tasks:4 receive (fun () ->
        beside s ~tasks:3 (sends a s) (fun () -> beside s ~tasks:3 (sends b s) ignore))
  in
  if s.run play then each_once s "message" seen

let permits s =
  let permits = Drover.Semaphore.create 2 and inside = Atomic.make 0 and through = Atomic.make 0 in
  let hold () =
    expect s "more than two are inside" (Atomic.get inside <= 2);
    work s 10_000
  in
  let pass _ =
    for _ = 1 to 4 do
      work s 10_000;
      Drover.Semaphore.protect permits (fun () -> within inside hold);
      one_more through
    done
  in
  if s.run (fun () -> beside s ~tasks:8 pass ignore) then
    equal s "who came through" 32 (Atomic.get through);
  equal s "free permits" 2 (Drover.Semaphore.free permits)

let rwlock s =
  let l = Drover.Rwlock.create () and readers = Atomic.make 0 and writers = Atomic.make 0 in
  let through = Atomic.make 0 in
  let read () =
    expect s "a reader is beside a writer" (Atomic.get writers = 0);
    work s 10_000
  and write () =
    expect s "a writer is not alone" (Atomic.get readers = 0 && Atomic.get writers = 1);
    work s 10_000
  in
  let pass i =
    for round = 1 to 4 do
      work s 10_000;
      if (i + round) mod 3 = 0 then Drover.Rwlock.write l (fun () -> within writers write)
      else Drover.Rwlock.read l (fun () -> within readers read);
      one_more through
    done
  in
  if s.run (fun () -> beside s ~tasks:8 pass ignore) then
    equal s "who came through" 32 (Atomic.get through)

let condition s =
  let mutex = Drover.Mutex.create () and changed = Drover.Condition.create () in
  let tokens = ref 0 and taken = ref 0 in
  let take _ =
    Drover.Mutex.protect mutex (fun () ->
        while !tokens = 0 do
          Drover.Condition.wait changed mutex
        done;
        decr tokens;
        work s 2_000;
        incr taken)
  in
  let give () =
    for _ = 1 to 10 do
      work s 10_000;
      Drover.Mutex.protect mutex (fun () ->
          incr tokens;
          Drover.Condition.signal changed)
    done
  in
  if s.run (fun () -> beside s ~tasks:10 take give) then begin
    equal s "tokens taken" 10 !taken;
    equal s "tokens left" 0 !tokens
  end

let barrier s =
  let barrier = Drover.Barrier.create 4 and arrived = tally 8 in
  let pass _ =
    for round = 0 to 7 do
      work s 10_000;
      one_more arrived.(round);
      Drover.Barrier.wait barrier;
      equal s "arrived before a barrier opened" 4 (Atomic.get arrived.(round))
    done
  in
  ignore (s.run (fun () -> beside s ~tasks:4 pass ignore) : bool)

let memo s =
  let computed = tally 5 in
  let compute value key =
    work s 20_000;
    one_more computed.(key);
    if key = 0 then 0 else 1 + value (key - 1)
  in
  let memo = Drover.Memo.create ~hash:Fun.id ~equal:Int.equal compute in
  let get i = equal s "a value" (i mod 5) (Drover.Memo.get memo (i mod 5)) in
  if s.run (fun () -> beside s ~tasks:10 get ignore) then each_once s "the value of" computed

let sleepers s =
  let woken = Atomic.make 0 in
  let sleep i =
    Drover.sleep (float i *. 1e-4);
    work s 20_000;
    one_more woken
  in
  if s.run (fun () -> beside s ~tasks:10 sleep ignore) then
    equal s "who has slept" 10 (Atomic.get woken)

(* Whom a handler strikes has left, or its round is over: then two others meet. *)
let struck_barrier s =
  let barrier = Drover.Barrier.create 2 in
  let meet () =
    work s 5_000;
    Drover.Barrier.wait barrier
  in
  let two_meet () = ignore (Drover.both meet meet : unit * unit) in
  ignore (s.run two_meet : bool);
  match Drover.run ~domains:s.domains (fun () -> Drover.Scope.with_timeout 5. two_meet) with
  | () -> ()
  | exception e -> s.complain ("two others: " ^ Printexc.to_string e)

let all =
  [
    case "a promise" promise ~handler:Raises;
    case "a burst of tasks" burst;
    case "a full deque" full_deque ~handler:(Starts_while wakes);
    case "a rendezvous" (channel Drover.Chan.rendezvous) ~handler:Raises;
    case "a bounded channel" (channel (fun () -> Drover.Chan.bounded 2)) ~handler:Raises;
    case "select" select;
    case "permits" permits ~handler:Raises;
    case "rwlock" rwlock ~handler:Raises;
    case "a condition" condition;
    case "a barrier" barrier;
    case "a barrier that is struck" struck_barrier ~handler:Raises;
    case "a memo" memo ~handler:Raises;
    case "sleep" sleepers ~handler:Raises;
  ]
