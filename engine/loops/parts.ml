(* Parts: what a run of a loop gives away.

   A part is given by the step of [Rest.give]. Then

   Given --take_back, by the run-------------> Settled, the run has it again
     +--claim, by another-> Taken --its end--> Settled, joined

   for one that is to be joined: the state of its job says which (see [Job]). The run joins all of
   them from left to right, as they are combined, so it takes back the leftmost first. A part on its
   own is nobody's any more: it is counted in [Alone], and whoever claims its job runs it.

   A part goes where thieves look. One that somebody has asked for is at hand there at once; what
   was given without that, as its owner did not come by or its task left, goes behind what is in the
   deque. *)

let half ~grain n = Int.max grain (n - (n / 2))

let give_to_join rest (w : Worker.t) context ~grain ~all body =
  Critical.reserve_stack ();
  let part n = if all then n else half ~grain n in
  let given = ref Job.none in
  let add first behind parts =
    let job = Job.part (Context.fork context) (fun () -> body first behind) in
    given := Job.Job job;
    { Rest.job; first; behind; is_settled = false } :: parts
  in
  Rest.give rest w ~part ~add ~alone:None
  && begin
    Rest.heed_giving rest w;
    if all then Fork_stack.put_behind w !given else Deque.push w.deque !given;
    true
  end

(* The rest that leaves a suspended task goes behind what is in the deque, too: that may be what it
   waits for, and iterations that all wait should not all start before. *)
let give_alone rest w alone (context : Context.t) errors body =
  let given = ref Job.none in
  let add first behind parts =
    let token = Token.task (Alone.token alone) in
    let part () =
      let w = Worker.here () in
      Admission.enter w { context with token };
      Error_group.check errors;
      Task.poll ();
      ignore (body first behind)
    in
    given := Alone.job alone errors token part;
    parts
  in
  let push () =
    Fork_stack.put_behind w !given;
    Rest.heed_giving rest w
  in
  Rest.give rest w ~part:Fun.id ~add ~alone:(Some alone)
  && begin
    (* It may be there twice. *)
    Critical.finish push;
    true
  end

(* One that nobody has begun leaves the deque again. *)
let take_back (part : _ Rest.part) =
  Job.claim part.job
  && begin
    part.is_settled <- true;
    Fork_stack.drop (Worker.here ()) (Job.Job part.job);
    true
  end

(* The result of a part, which its giver runs itself if nobody has taken it. *)
let join_one part =
  if Section.run take_back part then Job.take_body part.job ()
  else begin
    let outcome = Fork_join.await_stolen part.job in
    part.is_settled <- true;
    Failure.get outcome
  end

let rec join errors rest combine share =
  match Rest.given rest with
  | [] -> share
  | part :: _ ->
      let share = Error_group.last_piece errors (fun () -> combine share (join_one part)) in
      Rest.forget_first rest;
      join errors rest combine share

(* What was raised in a part before it began counts; whatever interrupts this, nothing is counted
   twice. *)
let rec forget errors rest reason =
  match Rest.given rest with
  | [] -> ()
  | part :: _ ->
      if not (part.is_settled || take_back part) then
        begin match Fork_join.give_up part.job reason with
        | Error failure as outcome when outcome != Job.no_outcome -> Error_group.add errors failure
        | _ -> ()
        end;
      Rest.forget_first rest;
      forget errors rest reason
