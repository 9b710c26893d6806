(* Fork-join: [both] and [all].

   [both f g] puts a job for [g] on the worker's fork stack, runs [f], and looks at the job: still
   Private, it takes it off the stack and calls [g]; otherwise the job was published, and it recalls
   it, or waits for the thief that has claimed it. The job's state decides who runs [g], not its place on the stack. *)

(* A fork that is Private is dropped by the store of [sp]. Between the end of [f] and its handler there is
   no safepoint, so a published fork is recalled, or waited for, whatever happens. *)

(* Takes a published fork off the stack; [true] if [g] is now ours to run, or to skip. *)
let take_back w sp (job : _ Job.job) =
  let ours = Job.recall job in
  if ours then Job.forget_body job;
  if w == Worker.here () then begin
    Worker.recognise w;
    Fork_stack.take_back w sp (Job.Job job) ~ours
  end;
  ours

(* The outcome of a fork that a thief has claimed. If the caller is cancelled meanwhile, so is the fork. *)
let rec await_end job ~cancel =
  Wait.briefly (fun () -> Job.has_ended job);
  match Job.result job with
  | Some outcome -> outcome
  | None ->
      Wait.until_ended "joins a fork" (Job.on_end job) ~cancel;
      await_end job ~cancel

(* What raises in a join is a signal's handler: the fork is not begun any more, or it is cancelled and
   waited for. No safepoint lies at its start, as in [Shared.insist]. *)
let rec give_up job exn =
  try
    if not (Job.recall job || Job.is_gone job) then begin
      Job.cancel job exn;
      ignore (await_end job ~cancel:ignore : _ result)
    end
  with _ ->
    give_up job exn;
    ()

let await_stolen w sp job =
  let since = if sp = 0 then System.now () else 0. in
  let outcome = await_end job ~cancel:(Job.cancel job) in
  if sp = 0 && w == Worker.here () then Fork_stack.note_stolen w ~since;
  outcome

(* Nothing is allocated between the end of [f] and the section. *)
let join_public w sp job a g =
  let is_outermost = Section.enter () in
  match
    (* The outcome of [g]; none if it is ours to run. *)
    if take_back w sp job then Job.no_outcome else await_stolen w sp job
  with
  | outcome ->
      Section.exit is_outermost;
      (a, if outcome == Job.no_outcome then g () else Failure.get outcome)
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      give_up job exn;
      Section.exit is_outermost;
      Printexc.raise_with_backtrace exn backtrace

(* Raises the first of two failures. To be cancelled is none, if the other is one. *)
let raise_both (first : Failure.t) (second : Failure.t) =
  if Error_group.is_consequence second.exn then Failure.raise first
  else if Error_group.is_consequence first.exn then Failure.raise second
  else Failure.raise_first first [ second ]

(* [f] has failed: [g] is skipped, or cancelled and waited for; or else it had ended before. *)
let abandon_public w sp job exn =
  let backtrace = Printexc.get_raw_backtrace () in
  let is_outermost = Section.enter () in
  match
    let g_came_first = Job.has_ended job in
    if take_back w sp job then (g_came_first, Job.no_outcome)
    else begin
      Job.cancel job exn;
      (g_came_first, await_end job ~cancel:ignore)
    end
  with
  | g_came_first, outcome -> (
      Section.exit is_outermost;
      let failure = { Failure.exn; backtrace; seen = ref false } in
      match outcome with
      | Error g when outcome != Job.no_outcome ->
          if g_came_first then raise_both g failure else raise_both failure g
      | Ok _ | Error _ -> Failure.raise failure)
  | exception late ->
      let backtrace = Printexc.get_raw_backtrace () in
      give_up job late;
      Section.exit is_outermost;
      Printexc.raise_with_backtrace late backtrace

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

let[@inline] fork w sp job f g =
  Fork_stack.push w sp (Job.Job job);
  match f () with a -> join w sp job a g | exception exn -> abandon w sp job exn

(* Wherever a fork is made, the job is allocated before [sp] is read: between that and the push
   there must be no safepoint, or another thread of the domain could change the stack (see
   [Worker]). *)

let fork_and_publish (w : Worker.t) f g =
  let job = Job.fork g in
  let make_room (w : Worker.t) =
    Fork_stack.follow_context w;
    if w.sp = Array.length w.stack then Fork_stack.grow w
  and publish (w : Worker.t) =
    if Fork_stack.publish w then Fork_stack.wake_if_worth w ~is_outermost:(w.sp = 1)
  in
  Section.run make_room w;
  let sp = w.sp in
  Fork_stack.push w sp (Job.Job job);
  match
    Section.run publish w;
    f ()
  with
  | a -> join w sp job a g
  | exception exn -> abandon w sp job exn

(* Outside a task, or a fork that has to publish or to grow the stack. *)
let rec both_slow : 'a 'b. (unit -> 'a) -> (unit -> 'b) -> 'a * 'b =
 fun f g ->
  match Worker.mine () with
  | Some w when Slice.may_skip w ->
      let job = Job.fork g in
      fork w w.sp job f g
  | Some w ->
      Yield.give_turn ~is_counted:(w.slice.skip = 0);
      let w = Worker.here () in
      Worker.pass_point w;
      if w.slice.has_woken then Slice.note_woken w;
      Token.poll w.context.token;
      !Hooks.installed.fork fork_and_publish w f g
  | None when Worker.here () != Worker.nobody ->
      (* A signal's handler that has interrupted a worker between two tasks must not wait. *)
      let a = f () in
      (a, g ())
  | None -> Pool.inside (fun () -> both_slow f g)

let[@inline] both f g =
  let job = Job.fork g in
  let w = Worker.here () in
  let sp = w.sp in
  if sp < w.limit then fork w sp job f g else both_slow f g

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

(* A failure is a result, but where the caller itself is cancelled. *)
let all_settled fs =
  let settle f () =
    match Failure.catch f with
    | Ok v -> Ok v
    | Error { exn; backtrace; _ } ->
        Task.poll ();
        Error (exn, backtrace)
  in
  all (List.map settle fs)
