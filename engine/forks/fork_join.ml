(* Fork-join: [both] and [all].

   [both f g] puts a job for [g] on the worker's fork stack, runs [f], and looks at the job: still
   Private, it takes it off the stack and calls [g]; otherwise the job was published, and it claims
   it or waits for whoever did. The job's state decides who runs [g], not its place on the stack. *)

(* A fork that is Private is dropped by the store of its place to [sp]. One that is not is recalled, or
   waited for, whatever raises meanwhile: so between the end of [f] and a handler for that there must
   be no safepoint, and nothing that needs room on the stack. Whoever publishes forks sees to it that
   there is some: [f] has more below it than the join. *)

(* Takes a published fork off the stack; [true] if [g] is now ours to run, or to skip. *)
let take_back w sp (job : _ Job.job) =
  let ours = Job.recall job in
  if ours then Job.forget_body job;
  if Worker.is_mine w then begin
    Worker.recognise w;
    Fork_stack.take_back w sp (Job.Job job) ~ours
  end;
  ours

(* Each waits in any case. A wait that is cancelled cancels the fork too. *)

(* About as long as it takes to suspend the caller and to go on. Probe: regions. *)
let rec spin job rounds =
  if rounds > 0 && not (Job.has_ended job) then begin
    Domain.cpu_relax ();
    spin job (rounds - 1)
  end

let rec await_end job ~cancel =
  spin job 20;
  match Job.result job with
  | Some outcome -> outcome
  | None ->
      Wait.wait_for_end (Job.on_end job) ~cancel;
      await_end job ~cancel

let rec wait_until_ended job =
  if not (Job.has_ended job) then begin
    Wait.wait_for_end (Job.on_end job) ~cancel:ignore;
    wait_until_ended job
  end

let rec wait_in_any_case job =
  if not (Job.has_ended job) then begin
    Wait.wait_in_any_case (Job.on_end job);
    wait_in_any_case job
  end

(* Nobody wants the fork any more. May be called again. *)
let settle job reason =
  if not (Job.is_gone job || Job.recall job) then begin
    Job.cancel job reason;
    wait_in_any_case job
  end

(* A join that has failed is masked, or an interruption would take the place of its failure. A wait
   unmasks. *)

let raise_unmasked exn backtrace =
  Masking.unmask_again ();
  Printexc.raise_with_backtrace exn backtrace

(* May be called again: nothing is allocated from when the job has forgotten its outcome. *)
let note_outcome job outcome = if Option.is_none !outcome then outcome := Job.result job
let nowhere = Printexc.get_callstack 0

(* [exn] has come into the join. If it is a cancellation, a failure of [f] or of [g] is the likely
   cause of that, and what the caller is to know. [first], raised [at], is what [f] has failed with,
   or [exn] again. Before the fork is settled, nothing is allocated. *)
let interrupted_after first ~at job exn =
  let backtrace = Printexc.get_raw_backtrace () in
  Critical.give_up settle job exn;
  Masking.mask_here ();
  let outcome = ref None in
  Critical.give_up note_outcome job outcome;
  if not (Error_group.is_consequence exn) then raise_unmasked exn backtrace
  else if not (Error_group.is_consequence first) then raise_unmasked first at
  else
    match !outcome with
    | Some (Error f as failure)
      when not (failure == Job.no_outcome || Error_group.is_consequence f.exn) ->
        raise_unmasked f.exn f.backtrace
    | _ -> raise_unmasked exn backtrace

let interrupted job exn = interrupted_after exn ~at:nowhere job exn

(* For a fork that somebody else has claimed. *)

let await_stolen job =
  match await_end job ~cancel:(Job.cancel job) with
  | outcome -> outcome
  | exception exn -> interrupted job exn

(* Cancels what nobody wants any more, and waits for its end. *)
let give_up job reason =
  match
    Job.cancel job reason;
    await_end job ~cancel:ignore
  with
  | outcome -> outcome
  | exception exn -> interrupted job exn

(* The outcome of [g]; none if it is ours to run. Nothing is allocated once it is taken: an interruption
   there would take its place. *)
let take_or_await w sp job =
  if take_back w sp job then Job.no_outcome else await_end job ~cancel:(Job.cancel job)

let join_public w sp job a g =
  match take_or_await w sp job with
  | outcome when outcome == Job.no_outcome -> (a, g ())
  | outcome -> (a, Failure.get outcome)
  | exception exn -> interrupted job exn

(* Raises the first of two failures. To be cancelled is none, if the other is one. *)
let raise_both (first : Failure.t) (second : Failure.t) =
  if Error_group.is_consequence second.exn then Failure.raise first
  else if Error_group.is_consequence first.exn then Failure.raise second
  else Failure.raise_first first [ second ]

(* [g] is skipped, or cancelled and waited for; or else it had ended before [f] failed, and that is the
   result. *)
let skip w sp job reason =
  let had_ended = Job.has_ended job in
  if not (take_back w sp job || had_ended) then begin
    Job.cancel job reason;
    wait_until_ended job
  end;
  Job.forgive job;
  had_ended

let abandon_public w sp job exn =
  let backtrace = Printexc.get_raw_backtrace () in
  Masking.mask_here ();
  match skip w sp job exn with
  | g_came_first -> (
      Masking.mask_here ();
      let failure = { Failure.exn; backtrace; seen = ref false } in
      let others = Job.result job in
      Masking.unmask_again ();
      match others with
      | Some (Error g) -> if g_came_first then raise_both g failure else raise_both failure g
      | _ -> Failure.raise failure)
  | exception interruption -> interrupted_after exn ~at:backtrace job interruption

(* It is off the stack. *)
let abandon_private w sp exn =
  let backtrace = Printexc.get_raw_backtrace () in
  Fork_stack.pop w sp;
  Printexc.raise_with_backtrace exn backtrace

let[@inline] join w sp job a g =
  if Job.is_private job && Worker.is_still w then begin
    Fork_stack.pop w sp;
    (a, g ())
  end
  else join_public w sp job a g

let[@inline] abandon w sp job exn =
  if Job.is_private job && Worker.is_still w then begin
    Fork_stack.lower w sp;
    abandon_private w sp exn
  end
  else abandon_public w sp job exn

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
  match
    if Fork_stack.publish w then Fork_stack.notify w;
    f ()
  with
  | a -> join w sp job a g
  | exception exn -> abandon w sp job exn

(* A signal's handler that has interrupted a worker between two tasks must not wait. *)
let in_turn f g =
  let a = f () in
  (a, g ())

(* Outside a task, or a fork that has to publish or to grow the stack. *)
let rec both_slow : 'a 'b. (unit -> 'a) -> (unit -> 'b) -> 'a * 'b =
 fun f g ->
  Task.stand_back ();
  match Worker.mine () with
  | Some w ->
      Worker.pass_point w;
      Token.poll w.context.token.fiber;
      Hooks.fork fork_and_publish w f g
  | None when Worker.here () != Worker.nobody -> in_turn f g
  | None -> Pool.inside (fun () -> both_slow f g)

let[@inline] both f g =
  let job = Job.fork g in
  let w = Worker.here () in
  let sp = w.sp in
  if sp < w.limit then begin
    Fork_stack.push w sp (Job.Job job);
    match f () with a -> join w sp job a g | exception exn -> abandon w sp job exn
  end
  else both_slow f g

let all fs =
  let fs = Array.of_list fs in
  let results = Array.make (Array.length fs) None in
  let run errors =
    let rec go lo hi =
      if lo = hi then results.(lo) <- Some (Error_group.piece errors fs.(lo))
      else
        let mid = (lo + hi) / 2 in
        let (), () = both (fun () -> go lo mid) (fun () -> go (mid + 1) hi) in
        ()
    in
    Pool.inside (fun () -> go 0 (Array.length fs - 1))
  in
  if Array.length fs > 0 then Error_group.run run;
  Array.to_list (Array.map Option.get results)
