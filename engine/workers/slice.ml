(* Slice.

   What is ready, and no worker has taken, waits in an inbox of its pool. A worker that feeds itself, or whose task
   goes on and on, would never come to it. So while something waits there, a worker's time goes in slices of a
   millisecond to three kinds of work in turn: its own, which lies in its deque; what is new; and what it has put
   off.

   1. An adder finds the inbox empty, and no worker    1. A worker that was alerted looks around at its next
      idle who would take the job. So it alerts           fork or iteration. If its slice is over, it takes the
      all that work.                                      job in hand, puts its task off (see [Yield]), and runs
   2. Who adds more meanwhile alerts nobody.              the job.
                                                       2. As long as something waits, it looks around some
                                                          times in a millisecond.

   To put a task off is to suspend it: what it has begun is published, and its rest goes behind what was put off
   before, on the same worker, as the task may hold something of the thread, such as a standard mutex.

   An alert may be lost, as the owner writes the same fields; then the worker looks around when it starts a task or a
   loop, when a thief asks, or after its next minor collection.

   A fork that looks around costs ten times a private one. So a worker that waits for the end of its slice counts:
   [stride] forks, or iterations, from one look at the clock to the next. Probe: fairness. *)

open Worker

let length = 1e-3 (* seconds *)

let[@inline] has_waiting w =
  not (Inbox.is_empty w.team.inbox && Queue.is_empty w.put_off && Inbox.is_empty w.team.urgent_inbox)

let is_over w ~now = now -. w.slice_began >= length

(* Who was for long in code that could not look around owes what has come meanwhile the next slice. *)
let begin_next w ~now =
  w.kind <-
    (match w.kind with
    | Own -> New
    | New -> Put_off
    | Put_off -> if now -. w.slice_began > 4. *. length then New else Own);
  w.slice_began <- now

(* A stretch between two looks should take a quarter to a half of a slice. *)
let count_again w ~now =
  let passed = now -. w.looked_at in
  w.looked_at <- now;
  if passed > length then w.stride <- 1
  else if passed > length /. 2. then w.stride <- Int.max 1 (w.stride / 2)
  else if passed < length /. 4. then w.stride <- Int.min 4096 (2 * w.stride);
  w.skip <- w.stride

(* Another worker first: one that is idle has been told. But only this one goes on with what it has put off. *)
let is_due w =
  w.is_called
  || has_waiting w
     && begin
       let now = System.now () in
       count_again w ~now;
       is_over w ~now && not (Queue.is_empty w.put_off && Team.wants_work w.team)
     end

(* For loops, timers count, too, which nobody else may serve in time. *)
let watches w = has_waiting w || Timers.is_any ()

let serve_timers w =
  if Timers.is_any () then begin
    let now = System.now () in
    if not (has_waiting w) then count_again w ~now;
    Timers.serve now
  end

let until w (loop : loop) =
  if watches w && loop.stop - loop.next > w.stride then loop.next + w.stride else loop.stop

let[@inline] may_skip w =
  w.limit = counted && w.skip > 0
  && w.sp < Array.length w.stack
  && begin
    w.skip <- w.skip - 1;
    true
  end
