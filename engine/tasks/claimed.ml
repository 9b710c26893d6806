(* Claimed: a worker runs a job that it has claimed, which is its [hand] until the job's code has begun.
   A claimed fork that was cancelled before it started is skipped; a task looks itself, because its
   end is counted. *)

let run_task (job : _ Job.job) = job.body ()

let run_fork job =
  let p = Job.published_of job in
  let w = Worker.here () in
  let victim = w.victim and since = Clock.now () in
  let body = job.body in
  let begin_now () =
    let w = Worker.here () in
    Worker.empty_hand w;
    Masking.unmask w;
    body ()
  in
  p.outcome <- Task.catch begin_now;
  (* Before the owner can see that it has ended. *)
  if victim >= 0 then Fork_stack.judge_as_thief w.team.members.(victim) (Clock.now () -. since);
  Critical.finish_with Job.conclude job

let[@inline] run (w : Worker.t) (Job.Job job) =
  match Job.state job with
  | Begun -> Task.in_fiber run_task job
  | Taken { context; _ } | Awaited ({ context; _ }, _) ->
      Current.adopt w context;
      if Token.start context.token then Task.in_fiber run_fork job else Job.skip job
  | Resumed -> ignore (job.body ())
  | Ended _ -> () (* it was interrupted after its end *)
  | Private | Public _ | Gone | Ready | Rest -> assert false

(* A job that was claimed and has not begun is for another to run: may be called again. *)
let give_back (w : Worker.t) =
  if w.in_hand then begin
    let job = w.hand in
    Inbox.add w.team.inbox (Job.rest (fun () -> run (Worker.here ()) job));
    Worker.drop_hand w;
    Team.notify w.team
  end

(* To await a task that nobody has begun is to begin it, at once and on top of the caller: that
   spares the caller its suspension. It has a fiber of its own, so it can be suspended: then the
   caller comes back here, and is suspended in its turn. So whoever lies beneath another waits for
   nothing but its end. Not too many do, as every collection looks at them all; and now and then the
   worker's loop must come by, which keeps tasks from waiting for ever. Kernel: fib, with promises.
*)

let deepest = 64

(* As few words of a fresh fiber's stack as can be: were it to grow, that would cost about as much as
   all the rest. *)

let[@inline] go_on_beneath (w : Worker.t) context depth =
  Worker.set_depth w depth;
  Fork_stack.end_task w;
  Current.adopt w context;
  Masking.unmask w

let[@inline] run_on_top (w : Worker.t) job context depth =
  Masking.mask w;
  Worker.begin_on_top w;
  Fork_stack.end_task w;
  run w job;
  go_on_beneath w context depth

let[@poll error] take_on_top (w : Worker.t) (Job.Job job as j) =
  Job.claim job
  && begin
    Worker.pick_up w j;
    Worker.set_depth w (w.depth + 1);
    true
  end

let come_back (w : Worker.t) context =
  give_back w;
  go_on_beneath w context w.depth

(* Allocates nothing before that is done: another callback may raise there. *)
let[@inline never] give_up_on_top w context depth exn =
  let backtrace = Printexc.get_raw_backtrace () in
  Worker.set_depth w depth;
  Critical.give_up come_back w context;
  Printexc.raise_with_backtrace exn backtrace

(* What raises here is a callback's exception, before the task began or after it ended. Only to mask
   and to unmask asks for much room on the stack; to reserve it always would make fresh stacks grow. *)
let begin_on_top (w : Worker.t) job context depth =
  if w.unmasked then Critical.reserve_stack () else Critical.reserve_handler ();
  match
    take_on_top w job
    && begin
      Fork_stack.drop_begun w;
      run_on_top w job context depth;
      true
    end
  with
  | has_begun -> has_begun
  | exception exn -> give_up_on_top w context depth exn

(* The caller is a task that [w] runs, is out of reach, and has nothing else to do before [job], a
   task of the same team, has ended. *)
let try_to_begin (w : Worker.t) job =
  w.depth < deepest
  && (not (Worker.is_last_turn w || w.busy))
  && Hooks.shortcuts ()
  && begin_on_top w job w.context w.depth

let[@inline] is_out_of_reach (w : Worker.t) =
  Token.is_alone w.context.token && Fork_stack.is_clear w
