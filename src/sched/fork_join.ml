(* Fork-join: [both] and [all].

   [both f g] puts a job for [g] on the worker's fork stack, runs [f], and looks at the job: still
   Private, it takes it off the stack and calls [g]; otherwise the job was published, and it claims
   it or waits for whoever did. The job's state decides who runs [g], not its place on the stack. *)

(* Takes a published fork off the stack; [true] if [g] is now ours to run, or to skip. *)
let take_back w sp (job : _ Job.job) =
  let ours = Job.claim job || Job.recall job in
  if ours then job.body <- Job.gone;
  if Worker.is_mine w then begin
    w.domain <- Worker.domain ();
    Fork_stack.take_back w sp (Job.Job job)
  end;
  ours

(* Each waits in any case. A wait that is cancelled cancels the fork too. *)

let rec await_end job ~cancel =
  match Job.result job with
  | Some outcome -> outcome
  | None -> (
      match Waiter.wait_for_end (Job.on_end job) ~cancel with
      | () -> await_end job ~cancel
      | exception exn ->
          (* A callback's: the fork has ended, and is forgotten. *)
          let backtrace = Printexc.get_raw_backtrace () in
          Critical.finish_with Job.forget job;
          Printexc.raise_with_backtrace exn backtrace)

let await_stolen job = await_end job ~cancel:(Job.cancel job)

(* Cancels what nobody wants any more, and waits for its end. *)
let give_up job reason =
  Critical.finish_with (Job.cancel job) reason;
  await_end job ~cancel:ignore

let join_public w sp job a g =
  if take_back w sp job then (a, g ()) else (a, Failure.get (await_stolen job))

(* Raises the first of two failures. To be cancelled is none, if the other is one. *)
let raise_both (first : Failure.t) (second : Failure.t) =
  if Gather.is_consequence second.exn then Failure.raise first
  else if Gather.is_consequence first.exn then Failure.raise second
  else Failure.raise_first first [ second ]

(* [f] failed: [g] is skipped, or cancelled and waited for. Had it failed before [f] did, its failure
   is the first. *)
let abandon_public w sp job (failure : Failure.t) =
  let before = Job.result job in
  let ours = take_back w sp job in
  match before with
  | Some (Error first) -> raise_both first failure
  | Some (Ok _) -> Failure.raise failure
  | None when ours -> Failure.raise failure
  | None -> (
      match give_up job failure.exn with
      | Error second -> raise_both failure second
      | Ok _ -> Failure.raise failure)

let abandon w sp job exn =
  let backtrace = Printexc.get_raw_backtrace () in
  if Job.is_private job && Worker.is_still w then begin
    Fork_stack.pop w sp;
    Printexc.raise_with_backtrace exn backtrace
  end
  else abandon_public w sp job { exn; backtrace; seen = ref true }

let[@inline] run_fork w sp job f g =
  match f () with
  | a ->
      if Job.is_private job && Worker.is_still w then begin
        Fork_stack.pop w sp;
        (a, g ())
      end
      else join_public w sp job a g
  | exception exn -> abandon w sp job exn

(* In both of the following the job is allocated before [sp] is read: between that and the push
   there must be no safepoint, or another thread of the domain could change the stack (see
   [Worker]). *)

let fork_and_publish (w : Worker.t) f g =
  let job = Job.fork g in
  Fork_stack.settle w;
  while w.sp = Array.length w.stack do
    Fork_stack.grow w
  done;
  let sp = w.sp in
  Fork_stack.push w sp (Job.Job job);
  if Fork_stack.publish w then Team.notify w.team;
  run_fork w sp job f g

(* A signal's handler that has interrupted a worker between two tasks must not wait. *)
let in_turn f g =
  let a = f () in
  (a, g ())

(* Outside a task, or a fork that has to publish or to grow the stack. *)
let rec both_slow : 'a 'b. (unit -> 'a) -> (unit -> 'b) -> 'a * 'b =
 fun f g ->
  match Worker.mine () with
  | Some w ->
      Worker.pass_point w;
      Token.poll w.context.token.fiber;
      if !Profile.is_on then Profile.fork (fork_and_publish w) f g else fork_and_publish w f g
  | None when Worker.here () != Worker.nobody -> in_turn f g
  | None -> Pool.inside (fun () -> both_slow f g)

let[@inline] both f g =
  let job = Job.fork g in
  let w = Worker.of_domain () in
  let sp = w.sp in
  if sp < w.limit && Worker.is_mine w then begin
    Fork_stack.push w sp (Job.Job job);
    run_fork w sp job f g
  end
  else both_slow f g

let all fs =
  let fs = Array.of_list fs in
  let results = Array.make (Array.length fs) None in
  let run gather =
    let rec go lo hi =
      if lo = hi then results.(lo) <- Some (Gather.piece gather fs.(lo))
      else
        let mid = (lo + hi) / 2 in
        let (), () = both (fun () -> go lo mid) (fun () -> go (mid + 1) hi) in
        ()
    in
    Pool.inside (fun () -> go 0 (Array.length fs - 1))
  in
  if Array.length fs > 0 then Gather.run run;
  Array.to_list (Array.map Option.get results)
