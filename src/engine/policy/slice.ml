(* Slice.

   What is ready, and no worker has taken, waits in an inbox of its pool. A worker that feeds itself, or whose task
   goes on and on, would never come to it. So while something waits there, a worker's time goes in slices to three
   kinds of work in turn: its own, which lies in its deque; what is new; and what it has put off. A slice takes a
   millisecond at most, and no more than twice the one before it: so small jobs, one after the other, need not wait
   for a millisecond each, and get no more than their share.

   1. An adder finds the inbox empty, and no worker    1. A worker that was alerted looks around at its next
      idle who would take the job. So it alerts           fork or iteration. If its slice is over, it takes the
      all that work.                                      job in hand, puts its task off (see [Yield]), and runs
   2. Who adds more meanwhile alerts nobody.              the job.
                                                       2. As long as something waits, it looks around some
                                                          times in a millisecond.

   What lies in a worker's own deque waits, too, when it takes something of another kind, unless it is forks, which
   are of a task that waits for them. A task leaves nothing else on top when it is put off, as what it publishes then
   would hide that.

   To put a task off is to suspend it: what it has begun is published, and its rest goes behind what was put off
   before, on the same worker, as the task may hold something of the thread, such as a standard mutex. Only where
   that worker does not come back for some time, another takes it: the job that it was put off for may wait for
   it, without the scheduler's knowing.

   An alert may be lost, as the owner writes the same fields; then the worker looks around when it starts a task or a
   loop, when a thief asks, or after its next minor collection. (Points lose none: see [Point].)

   Urgent work goes before all three. But tasks that wake each other may make more of it for ever: so where
   something waits in turn, it goes first for five milliseconds, and then behind for one.

   A fork that looks around costs ten times a private one. So a worker that waits for the end of its slice counts:
   [stride] forks, or iterations, from one look at the clock to the next. Probe: fairness. *)

open Worker

(* In seconds. To put a task off and to go on with it takes some 5 us. *)
let longest = 1e-3
let shortest = 1e-4

(* For an instrument whose schedules are to come again, of one worker, the time from one look to the next is always the
   same. *)
let looks = ref 0

let now () =
  if !Hooks.installed.timed then System.now ()
  else begin
    incr looks;
    1e-5 *. float !looks
  end

let is_over w ~now = now -. w.slice.times.began >= w.slice.times.length

(* In seconds. *)
let urgent_first = 5e-3
let urgent_behind = longest

let is_urgent_first w =
  (not (Team.has_waiting_in_turn w))
  ||
  let { lets_pass; times; _ } = w.slice and now = now () in
  if now -. times.turned > if lets_pass then urgent_behind else urgent_first then begin
    w.slice.lets_pass <- not lets_pass;
    times.turned <- now
  end;
  not w.slice.lets_pass

(* Who was for long in code that could not look around owes what has come meanwhile the next slice. *)
let begin_next w ~now =
  let before = now -. w.slice.times.began in
  w.slice.kind <-
    (match w.slice.kind with
    | Own -> New
    | New -> Put_off
    | Put_off -> if before > 4. *. longest then New else Own);
  w.slice.times.length <- Float.max shortest (Float.min longest (2. *. before));
  w.slice.times.began <- now

(* A stretch between two looks should take an eighth to a quarter of a slice. One that ended sooner than counted, as
   somebody asked for something, does not tell that it was short. *)
let count_again w ~now ~is_counted =
  let passed = now -. w.slice.times.looked_at in
  let length = Float.max shortest w.slice.times.length in
  w.slice.times.looked_at <- now;
  if passed > length then w.slice.stride <- 1
  else if passed > length /. 4. then w.slice.stride <- Int.max 1 (w.slice.stride / 2)
  else if is_counted && passed < length /. 8. then
    w.slice.stride <- Int.min 4096 (2 * w.slice.stride);
  w.slice.skip <- w.slice.stride

(* Its thread is wanted elsewhere: see [Domains]. First the step and then the alert; pairs with [Point.look]. *)
let call w =
  ignore (Atomic.Loc.exchange [%atomic.loc w.slice.is_called] true : bool);
  Worker.alert w

let[@inline] is_called w = Atomic.Loc.get [%atomic.loc w.slice.is_called]
let take_call w = is_called w && Atomic.Loc.exchange [%atomic.loc w.slice.is_called] false

(* Another worker first: one that is idle has been told. But only this one goes on with what it has put off. *)
let is_due w ~is_counted =
  is_called w
  || Team.has_waiting w
     && begin
       let now = now () in
       count_again w ~now ~is_counted;
       is_over w ~now && not (Inbox.is_empty w.put_off && Team.wants_work w.team)
     end

(* The newest job in the deque that nobody has begun. *)
let rec newest w =
  let job = Deque.newest w.core in
  if Deque.is_empty w.core || Job.is_claimable job then job
  else begin
    Deque.drop w.core job;
    newest w
  end

(* But for forks: those are of the task that waits for them. *)
let note_own w = w.slice.own_waits <- Job.is_apart (newest w)

let note_woken w =
  w.slice.has_woken <- false;
  note_own w

(* For loops, timers count, too, which nobody else may serve in time. *)
let watches w = Team.has_waiting w || Timers.is_any ()

let serve_timers w ~is_counted =
  if Timers.is_any () then begin
    if not (Team.has_waiting w) then count_again w ~now:(now ()) ~is_counted;
    Timers.pass (System.now ())
  end

let until w (loop : loop) =
  if watches w && loop.stop - loop.next > w.slice.stride then loop.next + w.slice.stride
  else loop.stop

let rec hand_out_from w deque condition =
  if not (Deque.is_empty deque) then begin
    let job = Deque.newest deque in
    let is_claimable = Job.is_claimable job in
    if condition job || not is_claimable then begin
      (* Added before it is dropped, so that it is not lost; who claims it twice gets it once. *)
      if is_claimable then Team.add_outside w.team ~urgent:(deque == w.urgent) job;
      Deque.drop deque job;
      hand_out_from w deque condition
    end
  end

let hand_out w =
  w.slice.own_waits <- false;
  hand_out_from w w.core Job.is_apart

let hand_out_all w =
  hand_out_from w w.core Job.is_claimable;
  hand_out_from w w.urgent Job.is_claimable

let[@inline] may_skip w =
  w.limit = counted && w.slice.skip > 0
  && w.sp < Array.length w.stack
  && begin
    w.slice.skip <- w.slice.skip - 1;
    true
  end
