open Worker

let has_work team =
  let has_job w =
    not (Deque.is_empty w.core && Deque.is_empty w.urgent && Inbox.is_empty w.put_off)
  in
  (not (Inbox.is_empty team.inbox))
  || (not (Inbox.is_empty team.urgent_inbox))
  || Array.exists has_job team.members

let[@inline] has_waiting_in_turn w =
  w.slice.own_waits || not (Inbox.is_empty w.team.inbox && Inbox.is_empty w.put_off)

let[@inline] has_waiting w = has_waiting_in_turn w || not (Inbox.is_empty w.team.urgent_inbox)

let[@inline] wants_work team =
  Atomic.get team.searching > 0 || not (Sleepers.is_empty team.sleepers)

(* The count and the flag that says whether it is due, in one step each. *)

let[@poll error] begin_searching w =
  if not w.searches then begin
    w.searches <- true;
    ignore (Atomic.fetch_and_add w.team.searching 1 : int)
  end

let[@poll error] end_searching w =
  w.searches
  && begin
    w.searches <- false;
    Atomic.fetch_and_add w.team.searching (-1) = 1
  end

(* One step: the sleeper that is taken counts as searching, and must be woken. *)
let[@poll error] take_sleeper team id =
  match Sleepers.try_to_remove team.sleepers id with
  | Removed ->
      ignore (Atomic.fetch_and_add team.searching 1 : int);
      true
  | Gone | Disturbed -> false

(* Some sleep, and none searches. *)
let[@inline] needs_another team =
  (not (Sleepers.is_empty team.sleepers)) && Atomic.get team.searching = 0

(* Of those that sleep, as many are no help as there are more than the machine has processors for (see
   [Crowd]); who has no thread does not count. *)
let helpers team =
  if Sleepers.is_empty team.sleepers then 0
  else
    let surplus = Int.max 0 (Atomic.get team.present - team.active) in
    Int.max 0 (Sleepers.length team.sleepers - surplus)

let has_helper team = helpers team > 0
let needs_helper team = has_helper team && Atomic.get team.searching = 0

(* In seconds. A sleeper that had not fallen asleep yet says nothing. *)
let was_awake = 1e-6

(* The sleeper begins its search with its waker, which has work, or is about to. Nothing is allocated between the
   choice of a sleeper and its wake-up, where a signal's handler might raise. *)
let rec wake_for team ~seconds =
  let now = System.now () and waker = here () in
  let near = if waker.team == team then waker.id else -1 in
  let id = Sleepers.first team.sleepers in
  if id <> Sleepers.nobody then
    if take_sleeper team id then begin
      let w = team.members.(id) in
      w.pace.rung <- now;
      w.near <- near;
      w.search_for <- Int.max w.search_for (int_of_float (seconds /. w.load.look));
      Parker.wake w.parker;
      let cost = System.now () -. now in
      if cost > was_awake then team.help.cost <- follow team.help.cost cost
    end
    else wake_for team ~seconds

let note_woken w =
  let latency = System.now () -. w.pace.rung in
  if latency > was_awake then w.team.help.latency <- follow w.team.help.latency latency

let wake_one team = wake_for team ~seconds:0.
let notify team = if needs_another team then wake_one team

(* Where other programs leave the pool one processor, its workers wake nobody for what they hide. But one stands by
   (see [Crowd]), as an owner may wait for just that. *)
let lacks_one_standing_by team =
  team.active = 1
  && Array.length team.members > 1
  && Sleepers.length team.sleepers > Atomic.get team.present - 2

let keep_one_standing_by team = if lacks_one_standing_by team then notify team

(* To look at *)

(* The members that have a thread, or had one: domains are made in order, and the first member is for callers. *)
let[@inline] reach team = Int.min (Array.length team.members) (1 + Atomic.get team.present)

(* To hand out *)

(* All workers read the record: so only what changes is written. *)
let follow_caller team =
  let wanted = Printexc.backtrace_status () in
  if team.record_backtraces <> wanted then team.record_backtraces <- wanted

let[@inline] inbox team ~urgent = if urgent then team.urgent_inbox else team.inbox

type added = Nowhere | First | Behind

let add inbox job =
  let was_empty = Inbox.is_empty inbox in
  Inbox.add inbox job;
  if was_empty then First else Behind

let[@inline] announce team added =
  (* Those that work are alerted once: they look again by themselves as long as something waits. *)
  let announce_first team =
    notify team;
    if not (wants_work team) then Array.iter Worker.alert team.members
  in
  match added with
  | Nowhere -> ()
  | First -> Shared.insist announce_first team
  | Behind -> Shared.insist notify team

let add_outside team ~urgent job = announce team (add (inbox team ~urgent) job)

(* Not [Atomic.incr] and [decr], which allocate. *)
let begin_batch team = ignore (Atomic.fetch_and_add team.batches 1 : int)
let end_batch team = ignore (Atomic.fetch_and_add team.batches (-1) : int)

(* The end *)

let sum team count =
  let members = team.members and n = ref 0 in
  for i = 0 to Array.length members - 1 do
    n := !n + count members.(i)
  done;
  !n

let report w = if Atomic.get w.reported <> w.ended then Atomic.set w.reported w.ended

(* No task is left. A thread that sees that a task has ended, by [reported], sees all that it has started,
   though [started] is a plain field. So if the sums agree, the tasks that have ended have started
   each other, those from outside apart, and nothing else; and there are no other tasks. *)
let is_idle team =
  let ended = sum team (fun w -> Atomic.get w.reported) in
  let submitted = Atomic.get team.submitted in
  ended = submitted + sum team (fun w -> w.started)

let is_stopped team = Atomic.get team.phase = Stopped

let announce_end team =
  ignore (Ivar.fill team.stopped () : bool);
  Array.iter (fun w -> Parker.wake w.parker) team.members

let try_stop team =
  if
    Atomic.get team.phase = Closing
    && is_idle team
    && Atomic.compare_and_set team.phase Closing Stopped
  then Shared.insist announce_end team

(* Turns *)

(* What workers that feed themselves would never come to. To begin with the oldest seldom is enough,
   and costs memory each time: what the newest would have left lies below it until it has ended.
   Probe: promises. *)

let round = 64 * 32 (* turns, after which all have had theirs *)
let[@inline] is_for_oldest turn = turn land (round - 1) = 64

(* For a task that would begin on top of another instead. The oldest of all is begun more seldom then: it
   stands at the root of what the newer ones are parts of, and does much of that once more where tasks
   share a memo table. So only in the last of 16 rounds. Probe: promises. *)
let[@inline] is_neglected_next w =
  let turn = w.turns + 1 in
  is_for_oldest turn && turn land ((16 * round) - 1) >= 15 * round
