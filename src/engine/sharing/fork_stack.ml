(* Fork stack.

   A worker keeps the forks of the task that it runs on a stack of its own, oldest first. They
   are Private (see [Job]): to push and to pop one takes no atomic step. Thieves see the deque
   only. The owner *offers* forks there, the oldest first, as these are the largest pieces
   ([publish]); and moves all of them when the task leaves this worker ([publish_all]): a Private
   job's frame has not moved.

   A fork compares [sp] with [limit]; one that reaches it takes the slow path, and offers what is
   to be offered. One comparison serves all of these:

   1. [limit] is the size of the stack: the worker is alone in its pool, or thieves see a job. The stack grows.
   2. [limit] is 0: the next fork is to be offered, or the code is to look around.
   3. [limit] is [shallow], or some levels above a fork that was taken back: thieves see nothing, and none is to
      be offered. A fork that deep tells of a tree that is worth offering.
   4. [limit] is [counted]: something waits in turn, and the next look at the clock is some forks away (see
      [Slice]).
   5. [limit] is [asked]: a thief wants a fork. It is a plain field: a request that is lost is
      repeated by the next round of the search.

   To offer a fork and to take it back costs ten times what a private one costs. A deep tree pays that once, for
   its outermost forks. But in a loop of small forks, and in a walk along a list, every fork is outermost. So
   the owner keeps some of these private: see [Worth].

   An owner in a long stretch without forks answers too: after each minor collection its thread
   calls [answer] (see [Ticker]), and minor collections stop every domain, so a thief that gets
   no answer makes one; not in a section, which may be in the middle of what it would change. *)

open Worker

let[@inline] push w sp job =
  Array.unsafe_set w.stack sp job;
  w.sp <- sp + 1

(* No fork is above [w.sp] at any safepoint, and the slots that were ever filled are a prefix of the stack. *)
let clear w =
  let stack = w.stack and i = ref w.sp in
  while !i < Array.length stack && stack.(!i) != Job.none do
    stack.(!i) <- Job.none;
    incr i
  done

let[@inline] lower w sp = if w.sp > sp then w.sp <- sp

(* A worker that is alone in its pool has no thief. *)
let[@inline] is_alone w = Array.length w.team.members = 1 || w.team.active = 1
let wake w = Team.wake_for w.team ~seconds:(Worth.search_of_woken w)

(* What the wake-up costs the owner is not the fork's. *)
let wake_if_worth w ~is_outermost =
  if Team.needs_helper w.team then begin
    let before = System.now () in
    if is_outermost then Worth.begin_region w before;
    if Worth.deserves_wake_up w then wake w;
    w.pace.offered <- w.pace.offered +. (System.now () -. before)
  end

let[@inline never] spend_credit w =
  w.credit <- w.credit - 1;
  if w.credit <= 0 then if is_alone w then w.credit <- max_int else w.limit <- 0

(* The slot still refers to the finished fork, until another is pushed there, or what is above the forks
   is cleared: by the join of a published fork, at a minor collection (see [Ticker]), and when the task
   has ended. To clear it here would double the price of a fork. Probe: fork-shapes. *)
let[@inline] pop w sp =
  lower w sp;
  if sp = 0 then spend_credit w

let grow w =
  let stack = Array.make (2 * Array.length w.stack) Job.none in
  Array.blit w.stack 0 stack 0 w.sp;
  w.stack <- stack

(* The fork [i], if it is still this one: a callback may have come in between. Whether it was Private;
   what a thread of the domain took meanwhile is not. It is Public and in the deque in one step, or it
   would be hidden from thieves for good. *)
let[@poll error] publish_one w i (job : _ Job.job) public =
  w.base = i && i < w.sp
  && Array.unsafe_get w.stack i == Job.Job job
  && Deque.has_room w.deque
  && begin
    w.base <- i + 1;
    Job.publish job public && Deque.put w.deque (Job.Job job)
  end

(* Offers the oldest [n] forks to thieves. The joins of published forks need room on the stack, which
   lies above: see [Fork_join]. *)
let offer w n =
  if w.base > w.sp then w.base <- 0;
  if w.base = 0 && w.sp > 0 then Worth.begin_fork w;
  let left = ref n in
  while !left > 0 && w.base < w.sp do
    let i = w.base in
    let (Job job) = w.stack.(i) in
    let public = Job.public (Context.fork w.forked_in) in
    Deque.make_room w.deque;
    if publish_one w i job public then decr left
  done

let[@inline] follow_context w =
  if w.forked_in != w.context then begin
    if w.sp > 0 then offer w max_int;
    w.forked_in <- w.context
  end

(* The depth that tells of a tree: with fewer levels it has less than some 250 forks. *)
let shallow = 8

(* Which fork is to be offered next, where nobody asks, after the fork at [sp] was joined. That it was taken back tells
   that thieves want none just now: so not one with fewer levels below it. Probe: regions. *)
let due_after w sp = if sp = 0 && w.credit <= 0 then 0 else sp + shallow

(* How many forks thieves are to see. An owner that blocks its thread, in a leaf that is a system call, answers nobody:
   so there is one for each other worker, unless regions of late were short. Once one was taken back, those that
   follow have others below them: see [due_after]. *)
let shows_enough w =
  let shown = Deque.length w.deque and others = Array.length w.team.members - 1 in
  shown > 0 && shown >= if others > 1 && Worth.deserves_wake_up w then others else 1

(* The next fork that looks around, unless the task is cancelled or an instrument sees all forks: the one
   that is [due], at the latest. *)
let set_limit w ~due =
  let limit =
    if w.forked_in != w.context then 0
    else if is_alone w || shows_enough w then Array.length w.stack
    else due
  in
  let limit = Int.min !Hooks.installed.private_forks limit in
  let limit = if limit > 0 && Team.has_waiting w then Worker.counted else limit in
  (* First the limit and then the look, which keeps this order; pairs with [Token.count_cause]. *)
  w.limit <- limit;
  if Token.is_alerted_now w.context.token then w.limit <- 0

let publish w =
  follow_context w;
  (* A fork that stays private is found by a thief that is awake, or by the lookout. *)
  let is_due =
    w.limit = asked
    || (not (is_alone w))
       && (w.credit <= 0 || w.sp > shallow
          || (Team.needs_helper w.team && not (Worth.is_on_lookout w)))
  in
  if is_due && not (shows_enough w) then offer w 1;
  Team.keep_one_standing_by w.team;
  set_limit w ~due:(due_after w 0);
  not (Deque.is_empty w.deque)

let[@inline] is_clear w = w.sp = 0 && w.loops == []

(* What a thief asked for before is over. *)
let forget_request w = if w.limit = asked && is_clear w then set_limit w ~due:(due_after w 0)

let renew_credit w =
  w.credit <- Worth.credit w ~others_sleep:(Worth.needs_lookout w && Team.needs_helper w.team)

let take_back w sp job ~ours =
  lower w sp;
  if w.base > sp then w.base <- sp;
  clear w;
  Deque.drop w.deque job;
  if sp = 0 && ours then begin
    Worth.end_fork w;
    renew_credit w
  end;
  set_limit w ~due:(due_after w sp)

let note_stolen w ~since =
  Worth.end_stolen_fork w ~since;
  renew_credit w;
  if is_clear w then set_limit w ~due:(due_after w 0)

let[@inline] shows_any w = not (Deque.is_empty w.deque && Inbox.is_empty w.team.inbox)

let give w =
  w.sp > w.base
  && begin
    w.limit <- asked;
    publish w
  end
  || List.exists (fun loop -> Open_loops.give w loop ~all:false ~behind:false) (List.rev w.loops)

let publish_all w =
  if w.sp > 0 then begin
    offer w max_int;
    w.sp <- 0;
    w.base <- 0;
    clear w
  end;
  if w.loops != [] then begin
    Open_loops.give_all w ~behind:true;
    w.loops <- []
  end;
  w.limit <- 0

(* Between two tasks. To give back what the next burst of ten thousand tasks needs again costs a major slice each
   time, and the collection that comes with it. Probe: promises. *)
let kept = 32_768 (* words, of each *)

let trim w =
  if Array.length w.stack > kept && w.sp = 0 then begin
    let stack = Array.make kept Job.none in
    if w.sp = 0 then w.stack <- stack;
    w.limit <- 0
  end;
  Deque.trim w.core ~kept;
  Deque.trim w.urgent ~kept

let[@inline] end_task w =
  if not (is_clear w) then publish_all w else if Array.unsafe_get w.stack 0 != Job.none then clear w

(* For an owner that has not come by since it was asked. Not in the middle of what has filled the stack. *)
let answer w =
  let forks = w.limit <= 0 && w.sp > w.base and loops = List.exists Open_loops.is_asked w.loops in
  let give () =
    if forks then offer w max_int;
    if loops then Open_loops.give_all w ~behind:true;
    shows_any w
  in
  (forks || loops) && (not w.in_section)
  && match Section.run give () with are_offered -> are_offered | exception Stack_overflow -> false

(* To look at it and to take it is one step. *)
let[@poll error] drop_newest_if_begun deque =
  Job.is_begun (Deque.newest deque)
  && begin
    ignore (Deque.pop deque : Job.t);
    true
  end

(* From both ends: tasks may be awaited in the order in which they were started. Probe: promises. *)
let drop_begun w =
  if drop_newest_if_begun w.deque then
    while drop_newest_if_begun w.deque do
      ()
    done
  else
    while Deque.drop_oldest_if Job.is_begun w.deque do
      ()
    done

(* For the worker, when its task has been suspended: before what was started later, which may need what
   the job comes to. Where it lay it is dropped later. *)
let put_next w (Job.Job job as j) =
  if Job.is_ready job && Deque.newest w.deque != j then Deque.push w.deque j
