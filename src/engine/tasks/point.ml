(* Point.

   [to_look] says that there may be something to look at: a cause to stop, ready work that waits, or a timer.

   1. The canceller counts a cause, the adder adds    1. The task clears [to_look].
      its job, or the caller calls the thread: an     2. It takes an atomic step.
      atomic step.                                    3. It looks for causes, jobs and calls. As long as
   2. It sets [to_look] of the worker.                   something waits, it sets [to_look] again.

   Either the task finds what is there, or [to_look] is set after it was cleared. A worker that changes its context
   sets it, if that was cancelled before; and for timers, as they are set without a word to the workers.

   While something waits, the clock is not read at each point: they are counted, as forks and iterations are
   (see [Slice]). *)

open Worker

let look w n =
  Section.reserve_stack ();
  Worker.pass_point w;
  Token.poll w.context.token;
  if n > 0 && w.slice.skip >= n && Slice.watches w then w.slice.skip <- w.slice.skip - n
  else begin
    w.to_look <- false;
    if Token.is_alerted_now w.context.token || Slice.watches w || Slice.is_called w then
      w.to_look <- true;
    Slice.serve_timers w ~is_counted:true;
    Yield.give_turn ~is_counted:true;
    Task.poll ()
  end

let[@inline] pass_on w = if w.to_look then look w 1
let[@inline] pass () = pass_on (Worker.here ())
let[@inline] pass_loop w n = if w.to_look then look w n
