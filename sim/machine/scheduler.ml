(* Scheduler: the operating system's, which has threads run on processors.

   Blocked --ready--> Queued --its turn--> Runs --block--> Blocked
                        ^                  |
                        +--end of slice----+

   Each processor has a queue. Of those in it, the one goes first that has run least. A thread that wakes up
   goes to an idle processor, the one on which it ran if that is; else it waits there, or takes the place of
   the current thread, if that has run for so much longer. A processor that becomes idle takes a thread from the
   longest queue; one with others waiting gives one of them away now and then, so that in the long run each has
   its share. A new thread begins on the one that has fewest. *)

open World

let set_status t status =
  if not (Queue.is_empty t.stores) then Stores.drain t;
  let passed = t.time - t.since in
  (match t.status with
  | Runs | Spins ->
      t.ran <- t.ran + passed;
      t.runtime <- t.runtime + passed
  | Queued -> t.account.queued <- t.account.queued + passed
  | Blocked -> t.account.blocked <- t.account.blocked + passed
  | Ended -> ());
  t.status <- status;
  t.since <- t.time

(* [t], which runs, is at a point at or behind [time]: user's code stops there, and has the rest before it. *)
let cut t ~at =
  if t.is_busy && t.time > at then begin
    t.rest <- t.rest + (t.time - at);
    t.time <- at;
    if t.status = Runs then Turns.set_key t.processor t.time
  end

(* The processor's next thread *)

let is_neighbours t = t.domain == no_domain

(* See [Quota]. *)
let may_run t = (not !w.is_throttled) || is_neighbours t

let least_runtime processor =
  let least best t =
    match best with
    | Some b when b.runtime <= t.runtime -> best
    | Some _ | None -> if may_run t then Some t else best
  in
  Queue.fold least None processor.queue

let remove processor t =
  let others = Queue.to_seq processor.queue |> Seq.filter (( != ) t) |> List.of_seq in
  Queue.clear processor.queue;
  List.iter (fun t -> Queue.add t processor.queue) others

let longest_queue () =
  let longer best (p : processor) =
    if Queue.length p.queue > Queue.length best.queue then p else best
  in
  Array.fold_left longer !w.processors.(0) !w.processors

let put_on (p : processor) t ~at =
  t.time <- Int.max t.time at;
  t.processor <- p.index;
  set_status t Runs;
  p.current <- Some t;
  p.stint <- t.time;
  p.slice_end <- t.time + !w.model.slice;
  Turns.set_key p.index t.time

let take_next (p : processor) ~at =
  p.current <- None;
  Turns.set_key p.index never;
  let from = if Queue.is_empty p.queue then longest_queue () else p in
  match least_runtime from with
  | Some t ->
      remove from t;
      put_on p t ~at:(at + !w.model.switch)
  | None -> p.idle_since <- at

(* The end of a slice, or a thread that goes first *)

let end_slice (p : processor) ~at =
  p.slice_end <- at;
  Option.iter (fun t -> cut t ~at) p.current

(* To become ready *)

let is_idle (p : processor) = p.current == None && Queue.is_empty p.queue

let idle_processor t =
  let n = Array.length !w.processors in
  let rec from i left =
    if left = 0 then None
    else
      let p = !w.processors.((t.processor + i) mod n) in
      if is_idle p then Some p else from (i + 1) (left - 1)
  in
  from 0 n

let enqueue (p : processor) t ~at =
  let was_alone = Queue.is_empty p.queue in
  set_status t Queued;
  t.processor <- p.index;
  Queue.add t p.queue;
  (match p.current with
  | None -> ()
  | Some current ->
      let lead = current.runtime + (at - current.since) - t.runtime in
      if current.status = Runs && lead >= !w.model.credit then end_slice p ~at
      else if was_alone then end_slice p ~at:(Int.max at (p.stint + !w.model.slice)));
  Turns.set_horizon ()

(* Where a new thread begins: those that are blocked count, too, but less. *)
let least_loaded ~near =
  let n = Array.length !w.processors in
  let ready = Array.make n 0 and all = Array.make n 0 in
  let count t =
    if t.status <> Ended then all.(t.processor) <- all.(t.processor) + 1;
    if t.status <> Ended && t.status <> Blocked then ready.(t.processor) <- ready.(t.processor) + 1
  in
  List.iter count !w.threads;
  let is_less i j = (ready.(i), all.(i)) < (ready.(j), all.(j)) in
  let less best i = if is_less i best then i else best in
  List.fold_left less near (List.init (n - 1) (fun i -> (near + 1 + i) mod n))

let shortest_queue () =
  let shorter best (p : processor) =
    if Queue.length p.queue < Queue.length best.queue then p else best
  in
  Array.fold_left shorter !w.processors.(0) !w.processors

(* What the current one leaves others do, one of them perhaps elsewhere. *)
let balance (p : processor) ~at =
  let other = shortest_queue () in
  if at >= p.balanced + !w.model.balance && Queue.length other.queue < Queue.length p.queue then begin
    p.balanced <- at;
    Option.iter
      (fun t ->
        remove p t;
        enqueue other t ~at)
      (least_runtime p)
  end

let put_off_current (p : processor) =
  match p.current with
  | Some t ->
      balance p ~at:t.time;
      set_status t Queued;
      Queue.add t p.queue;
      take_next p ~at:t.time
  | None -> ()

(* Nobody saves up time while blocked. *)
let least_of_all () =
  let least m (p : processor) = match p.current with Some t -> Int.min m t.runtime | None -> m in
  Array.fold_left least max_int !w.processors

(* Of a processor that was idle for so long *)
let sleep_after rested =
  let awake = List.hd !w.model.sleeps in
  let deeper sleep (s : Model.sleep) = if rested >= s.idle then s else sleep in
  List.fold_left deeper awake !w.model.sleeps

(* [t] is Blocked. The result is for how long the waker is at it. *)
let ready t ~at =
  let model = !w.model in
  let least = least_of_all () in
  if least < max_int then t.runtime <- Int.max t.runtime (least - model.credit);
  match if may_run t then idle_processor t else None with
  | Some p ->
      let { Model.wake; latency; _ } = sleep_after (at - p.idle_since) in
      put_on p t ~at:(at + latency + Random.State.int !w.random (1 + (latency / 8)));
      wake
  | None ->
      t.time <- Int.max t.time at;
      enqueue !w.processors.(t.processor) t ~at;
      (sleep_after 0).wake

(* To park and to wake: who is woken before it parks has a token, and does not park. So it may be woken for
   something that is over. *)

let leave_processor t = take_next !w.processors.(t.processor) ~at:t.time

(* Whether it was woken, and not by the time. *)
let park ~until =
  let t = me () in
  if not t.token then begin
    set_status t Blocked;
    t.is_parked <- true;
    leave_processor t;
    let time_out at =
      if t.is_parked then begin
        t.is_parked <- false;
        ignore (ready t ~at : int)
      end
    in
    let alarm =
      if until = never then None
      else Some (Turns.at (Int.max t.time until + !w.model.timer_slack) time_out)
    in
    Turns.give_turn ();
    Option.iter Turns.cancel alarm
  end;
  let is_woken = t.token in
  t.token <- false;
  is_woken

let wake t =
  t.token <- true;
  Log.tell (Notes ("wakes thread", t.number));
  if t.is_parked then begin
    t.is_parked <- false;
    Turns.tick (ready t ~at:(me ()).time);
    !w.woken <- !w.woken + 1
  end

(* The loop *)

let dispatch i =
  let p = !w.processors.(i) in
  match p.current with
  | None -> assert false
  | Some t when t.time >= p.slice_end && Option.is_some (least_runtime p) -> put_off_current p
  | Some t ->
      if t.time >= p.slice_end then p.slice_end <- t.time + !w.model.slice;
      !w.turns <- !w.turns + 1;
      !w.me <- t;
      Turns.set_key i never;
      t.resume ()

exception Deadlock

let rec loop main =
  let w = !w in
  if main.status <> Ended && w.failure = None then begin
    let i = Turns.winners.(1) in
    (match By_time.min_binding_opt w.events with
    | Some (((at, _) as key), call) when at <= Turns.keys.(i) ->
        w.events <- By_time.remove key w.events;
        call at
    | Some _ | None -> if Turns.keys.(i) = never then raise Deadlock else dispatch i);
    loop main
  end
