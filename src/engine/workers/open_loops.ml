(* Open loops.

   A loop makes no jobs before somebody wants a part of it: it stands in its worker's list with what is
   left of it. Its own worker cuts parts off its end, at any safepoint:

   1. A thief asks: it stores [asked] in the loop's [until]. Before its next iteration the loop looks
      around, and gives a half of the outermost loop that has any left. A part is a job in the deque.
   2. An owner in the middle of an iteration that was asked some time ago gives all (see [Ticker]). So
      does a task that is suspended, and the list is empty then.
   3. Neither helps a thief while an iteration takes long, which may be a system call. So the loop *offers*
      all before its first iteration, and before each one that follows a long one. The offer is in no deque,
      and only a thief that has waited for some time takes it, and gives a half of it at once.

   The loop takes its leftmost part back, if nobody has claimed the job: an offer after the first iteration,
   or before it gives; any part when all before it has been done.

   [left] counts a part before thieves find it. An offer is counted only when a thief has claimed it: by the
   thief, before it begins, or by the owner, when it cannot take the offer back, if that is sooner.

   A loop's frame may be carried to another worker, by an effect handler of the user's. Example: an
   iteration on worker A performs an effect, and its handler keeps the continuation and returns. A goes on
   with other code, while the loop stands in its list, and may give parts of it at any time. B resumes the
   continuation, the iteration ends there, and the loop sees that it is on another worker. So A holds the
   lock, for some steps, while it gives. B takes it, for good, and goes on with a copy.

   Loops give from the outermost inwards, the larger pieces first. A loop that begins inside one that was
   asked is asked too, as it may come to the end of an iteration first. *)

open Worker

let[@inline] create ~grain ~left ~body next stop =
  {
    next;
    stop;
    until = stop;
    is_long = false;
    parts = No_part;
    offer = Job.none;
    lock = Free;
    grain;
    left;
    body;
  }

let none = create ~grain:1 ~left:(Atomic.make 0) ~body:(fun ~was_offer:_ _ _ -> ()) 0 0
let outermost v = List.fold_left (fun _ loop -> loop) none v.loops

(* To ask *)

let is_asked loop = loop.until = asked
let is_counted loop = loop.until > alerted

(* A request may be lost, but not that of a cancellation. *)
let set_until w loop until =
  loop.until <- until;
  if Token.is_alerted_now w.context.token then ask_loop loop

(* A long iteration is followed by a look around. *)
let withdraw_requests w =
  let withdraw loop =
    if is_asked loop then set_until w loop (if loop.is_long then loop.next else loop.stop)
  in
  List.iter withdraw w.loops

(* The list *)

let[@inline] add w loop =
  let outer = w.loops in
  w.loops <- loop :: outer;
  pass_point w;
  match outer with
  | outer :: _ when is_asked outer -> ask_loop loop
  | _ :: _ | [] ->
      (* Comes after the step into the list; pairs with [Token.count_cause], and, as the fence that it is,
         with the last look of [Scheduler.sleep]. *)
      if Token.is_alerted_now w.context.token then ask_loop loop

let[@inline] is_innermost w loop = match w.loops with l :: _ -> l == loop | [] -> false

(* If the task was suspended meanwhile, the loop is in nobody's list any more. *)
let[@inline] remove w loop = if w == here () && is_innermost w loop then w.loops <- List.tl w.loops

(* To give *)

let[@inline] half loop =
  let n = loop.stop - loop.next in
  Int.max loop.grain (n - (n / 2))

(* A part that is given is counted in the step that takes it off the loop: what a signal's handler raises
   loses no part, as the loop takes back what no thief has claimed. *)
let[@poll error] link loop part first ~is_counted =
  if is_counted then ignore (Atomic.fetch_and_add loop.left 1 : int);
  loop.parts <- part;
  loop.stop <- first;
  if loop.until > first then loop.until <- first

(* The job for the last [size] iterations, which nobody finds yet. *)
let[@inline] cut w loop ~was_offer size =
  let body = loop.body and behind = loop.stop in
  let first = behind - size in
  let job = Job.part (fun () -> body ~was_offer first behind) in
  let part = Part { job; behind; others = loop.parts } in
  link loop part first ~is_counted:(not was_offer);
  if Token.is_alerted_now w.context.token then ask_loop loop;
  job

(* The exchange publishes all that the loop's caller has written; pairs with the read in [claim_offer]. *)
let[@inline] offer_from w loop i =
  let size = loop.stop - i in
  if size >= loop.grain then begin
    let job = cut w loop ~was_offer:true size in
    ignore (Atomic.Loc.exchange [%atomic.loc loop.offer] job : Job.t)
  end

let[@inline] offer loop = Atomic.Loc.get [%atomic.loc loop.offer]

(* That a thief has claimed what was offered. The thief and the owner both count; the second one finds the
   offer gone, and takes its count back. Each is counted itself meanwhile, so neither brings [left] to 0. *)
let[@inline] count_claimed loop job =
  ignore (Atomic.fetch_and_add loop.left 1 : int);
  if not (Atomic.Loc.compare_and_set [%atomic.loc loop.offer] job Job.none) then
    ignore (Atomic.fetch_and_add loop.left (-1) : int)

let[@poll error] claim_offer w loop =
  let (Job.Job job as j) = offer loop in
  Job.claim job
  && begin
    pick_up w j;
    count_claimed loop j;
    true
  end

let[@poll error] take_first loop =
  match loop.parts with
  | Part { job = Job job as j; behind; others } ->
      let is_offer = j == offer loop in
      if Job.claim job then begin
        Job.forget_body job;
        if not is_offer then ignore (Atomic.fetch_and_add loop.left (-1) : int);
        loop.parts <- others;
        loop.stop <- behind;
        true
      end
      else begin
        if is_offer then count_claimed loop j;
        false
      end
  | No_part -> false

let[@inline] take_offer loop =
  match loop.parts with
  | Part { job; _ } when job == offer loop -> take_first loop
  | Part _ | No_part -> false

let hides_nothing loop = loop.next >= loop.stop
let[@inline] has_any loop = loop.next < loop.stop || Job.is_claimable (offer loop)
let try_lock loop lock = Atomic.Loc.compare_and_set [%atomic.loc loop.lock] Free lock
let unlock loop = ignore (Atomic.Loc.exchange [%atomic.loc loop.lock] Free : lock)

let give_locked w loop ~all ~behind =
  ignore (take_offer loop : bool);
  let left = loop.stop - loop.next in
  let size = if all then left else half loop in
  let has_any = 0 < size && size <= left in
  if has_any then begin
    let job = cut w loop ~was_offer:false size in
    (* What nobody has asked for just now goes behind what is in the deque: that may be what the task waits
       for, and iterations that all wait should not all start before. *)
    if (not behind) || Deque.is_empty w.deque then Deque.push w.deque job
    else Inbox.add (if w.deque == w.urgent then w.team.urgent_inbox else w.team.inbox) job
  end;
  has_any

let give w loop ~all ~behind =
  try_lock loop Giving
  &&
  match give_locked w loop ~all ~behind with
  | has_any ->
      unlock loop;
      has_any
  | exception exn -> Failure.raise_after unlock loop exn

let give_all w ~behind =
  List.iter (fun loop -> ignore (give w loop ~all:true ~behind : bool)) (List.rev w.loops)

(* For the frame of a loop *)

let rec take_all loop =
  match loop.parts with
  | No_part -> ()
  | Part { others; _ } ->
      if not (take_first loop) then loop.parts <- others;
      take_all loop

let rec seize loop =
  match Atomic.Loc.get [%atomic.loc loop.lock] with
  | Seized -> ()
  | Free -> if not (try_lock loop Seized) then seize loop
  | Giving ->
      Domain.cpu_relax ();
      seize loop

let copy loop =
  ignore (take_offer loop : bool);
  { loop with until = asked; offer = Job.none; lock = Free }
