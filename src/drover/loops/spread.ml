(* Spread.

   A loop costs a hundred nanoseconds before its first iteration, and more for each that is one of its own.
   Calls on few elements are over before; but nobody knows what an element costs, or whether it waits for
   another. So the caller begins alone, with nothing between two elements, and what it has not begun is a
   fork, which others find as any other one:

   1. The caller has the first element, and then claims more and more of them. As long as the fork is Private
      (see [Job]) nobody else can begin it, so this is a plain store; the step that publishes the fork lets
      others see it.
   2. From then on the caller claims by a compare-and-set of [claimed].
   3. Where the fork begins, it takes the rest in one step, for a loop. It begins elsewhere, when a thief has
      come or the caller waits; or here, when the caller has claimed all, or is to look around.
   4. A thief that asks gets nothing of a call that is over in less than it takes to hand a part over: so the caller
      goes on for [patience], twice as far each time, unless there are few elements, of which each may take long.

   Outside a task a fork is for a pool, which must first be woken. So there the first elements are timed, and
   what is left goes to the pool as soon as [patience] is over. But the first element may be a system call
   that takes long: so the pool is woken at once where that was not done lately. Probes: sweep, small. *)

let few = 128
let tasks = 8
let block = 4096

(* What an instrument sees is the loop. *)
let[@inline] is_short n = n <= block && Option.is_none !Hooks.installed.loop

let rec in_blocks body lo hi =
  if hi - lo < block then body lo hi
  else begin
    body lo (lo + block - 1);
    Scope.check ();
    in_blocks body (lo + block) hi
  end

let rest body ~from n =
  if n - from > few then Loops.range ~start:from ~finish:(n - 1) (in_blocks body)
  else if from < n then Loops.iter ~start:from ~finish:(n - 1) (fun i -> body i i)

(* Seconds; about what it takes to wake a worker. *)
let patience = 2e-6

(* What the caller and its fork share. *)
type 'a front = {
  mutable since : float; (* when the call began, outside a task; or was first asked; 0 before *)
  mutable owner : Worker.t;
  mutable fork : Job.t;
  mutable begun : int; (* the elements before are the caller's, since the fork was Private *)
  mutable acc : 'a; (* what the caller had by then *)
  mutable claimed : int; [@atomic] (* what it began later; or [all] *)
}

let all = max_int
let long_ago = 1.

let front ~are_tasks acc =
  let since = if are_tasks then long_ago else 0. in
  { since; owner = Worker.nobody; fork = Job.none; begun = 1; acc; claimed = 0 }

(* No safepoint between the look at the fork and the stores. *)
let[@poll error] note f begun acc =
  let (Job.Job fork) = f.fork in
  Worker.is_still f.owner && Job.is_private fork
  && begin
    f.begun <- begun;
    if f.acc != acc then f.acc <- acc;
    true
  end

let claim_public f upto =
  let before = Atomic.Loc.get [%atomic.loc f.claimed] in
  before <> all && Atomic.Loc.compare_and_set [%atomic.loc f.claimed] before upto

let is_asked f = f.owner.limit = Worker.asked
let[@inline] stride f ~from most = Int.min most (if is_asked f then from else 15 * from)

let is_late f =
  let now = Unix.gettimeofday () in
  if f.since = 0. then f.since <- now;
  now -. f.since > patience

(* A task looks as a fork does that is not fast; and for timers, as a loop does. *)
let is_looked_for f =
  if f.owner == Worker.nobody then is_late f
  else begin
    let w = Worker.here () in
    Worker.pass_point w;
    Slice.watches w || Token.is_alerted w.context.token || (w.limit = Worker.asked && is_late f)
  end

let claim f ~from upto acc =
  let is_calm = f.owner.sp < f.owner.limit && not (Timers.is_any ()) in
  (is_calm && note f upto acc)
  || ((not (is_looked_for f)) && claim_public f upto)
  || begin
    ignore (note f from acc : bool);
    false
  end

(* By the fork, or for it: where it begins. *)
let take_rest f =
  if f.begun = all then all else Int.max f.begun (Atomic.Loc.exchange [%atomic.loc f.claimed] all)

(* The fork has just been made. *)
let enter f =
  let w = Worker.here () in
  if w.sp > 0 then begin
    f.owner <- w;
    f.fork <- Array.unsafe_get w.stack (w.sp - 1)
  end

(* Seconds. To wake a worker so seldom costs next to nothing. *)
let seldom = 1e-3

(* When the pool was last woken at once. Races with other threads: it may be woken once more. *)
let woke = ref 0.

let is_due () =
  let now = Unix.gettimeofday () in
  now -. !woke > seldom
  && begin
    woke := now;
    true
  end

let share f lead rest =
  match Worker.mine () with
  | Some w ->
      if w.limit = Worker.asked then Section.run Fork_stack.forget_request w;
      Fork_join.both lead rest
  | None when is_due () ->
      f.begun <- 0;
      (f.acc, rest ())
  | None ->
      f.since <- Unix.gettimeofday ();
      let acc = lead () in
      f.acc <- acc;
      (acc, rest ())

(* [from] have been done. The next ones tell more, and leave others to thieves. *)
let rec go_on f acc step from ~most n =
  if from >= n then acc
  else
    let upto = from + stride f ~from most in
    let upto = if upto >= n then all else upto in
    if claim f ~from upto acc then go_on f (step acc from (Int.min upto n - 1)) step upto ~most n
    else acc

let split n acc step rest =
  Point.pass ();
  if not (is_short n) then (acc, rest 0 acc)
  else if n <= 1 then ((if n = 1 then step acc 0 0 else acc), rest n acc)
  else
    let most = if n <= tasks then 1 else Int.min 512 (Int.max 16 (n / 3))
    and f = front ~are_tasks:(n <= tasks) acc in
    let lead () =
      enter f;
      go_on f (step acc 0 0) step 1 ~most n
    and behind () =
      let from = take_rest f in
      rest from f.acc
    in
    share f lead behind

let over n body =
  ignore (split n () (fun () lo hi -> body lo hi) (fun from () -> rest body ~from n) : unit * unit)

let is_light n = n <= 4 * block

let light n body =
  Point.pass ();
  if not (is_light n) then Loops.range ~start:0 ~finish:(n - 1) (in_blocks body)
  else if n > 0 then body 0 (n - 1)
