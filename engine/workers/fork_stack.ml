(* Fork stack.

   A worker keeps the forks of the task that it runs on a stack of its own, oldest first. They
   are Private (see [Job]): to push and to pop one takes no atomic step. Thieves see the deque
   only. The owner moves its oldest forks there when the deque has run low ([publish]), so that
   thieves get the largest pieces, and moves all of them when the task leaves this worker
   ([publish_all]): a Private job's frame has not moved.

   How thieves ask: a fork compares [sp] with [limit]. Normally [limit] is the size of the stack,
   and a fork that reaches it grows the stack; a thief, or the owner, that sees the deque run low
   sets it to 0, and the next fork publishes. One comparison serves both. It is a plain field: a
   request that is lost is repeated by the next round of the search.

   An owner in a long stretch without forks answers too: after each minor collection its thread
   calls [answer] (see [Ticker]), and minor collections stop every domain, so a thief that gets
   no answer makes one. Code that [answer] may interrupt is [undisturbed]. *)

open Worker

let[@inline] push w sp job =
  Array.unsafe_set w.stack sp job;
  w.sp <- sp + 1

(* The slots that were ever filled are a prefix of the stack. *)
let rec clear_from stack i =
  if i < Array.length stack && stack.(i) != Job.none then begin
    stack.(i) <- Job.none;
    clear_from stack (i + 1)
  end

let[@inline] lower w sp = if w.sp > sp then w.sp <- sp

(* The slot still refers to the finished
   fork, until another is pushed there, or until a join at an outer level clears all above it: here
   at every sixty-fourth level, and the join of a published fork does too. So a few dozen finished
   jobs are kept at most, and deep recursion does not pay for the clearing. Kernel: fib. *)
let[@inline] pop w sp =
  lower w sp;
  if sp land 63 = 0 then clear_from w.stack sp

let grow w =
  let stack = Array.make (2 * Array.length w.stack) Job.none in
  Array.blit w.stack 0 stack 0 w.sp;
  w.stack <- stack

(* How many jobs a deque should offer: with fewer, thieves wait for the owner's next fork; each
   costs its join a compare-and-set. Kernel: fib at two domains. *)
let enough = 2

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

let rec publish_upto w n =
  let i = w.base in
  if i < w.sp && n > 0 then begin
    let (Job job) = w.stack.(i) in
    let is_near () = Frame.holds job in
    let public = Job.public (Context.fork w.forked_in) ~is_near in
    Deque.make_room w.deque;
    publish_upto w (if publish_one w i job public then n - 1 else n)
  end

(* Offers the oldest [n] forks to thieves. The joins of published forks need room on the stack, which
   lies above: see [Fork_join]. *)
let offer w n =
  Critical.reserve_stack ();
  undisturbed w (fun () ->
      if w.base > w.sp then w.base <- 0;
      publish_upto w n)

(* Before the first fork in another context than that of the forks before (see [Current]). *)
let[@inline] settle w =
  if w.forked_in != w.context then begin
    if w.sp > 0 then offer w max_int;
    w.forked_in <- w.context
  end

(* Nobody wants attention any more, unless the task is cancelled or an instrument sees all forks. *)
let calm w =
  (* First the one and then the look, which keeps this order; pairs with [Token.count_cause]. *)
  w.limit <- Int.min (Hooks.private_forks ()) (Array.length w.stack);
  if Token.is_interrupted_now w.context.token.fiber then w.limit <- 0

(* A thief that empties the deque after the look sets the limit to 0 itself. *)
let set_limit w =
  calm w;
  if Deque.length w.deque < enough then w.limit <- 0

let publish w =
  settle w;
  offer w (enough - Deque.length w.deque);
  set_limit w;
  not (Deque.is_empty w.deque)

let[@inline] offers w = not (Deque.is_empty w.deque && Inbox.is_empty w.team.inbox)
let hides w = w.sp > w.base || Open_loops.are_any w
let give w = (w.sp > w.base && publish w) || Open_loops.give_half w
let[@inline] is_clear w = w.sp = 0 && not (Open_loops.are_any w)

let publish_all w =
  if w.sp > 0 then begin
    offer w max_int;
    clear_from w.stack 0;
    w.sp <- 0;
    w.base <- 0
  end;
  if Open_loops.are_any w then Open_loops.leave_all w;
  w.limit <- 0

let[@inline] end_task w = if not (is_clear w) then publish_all w

(* To look at it and to take it is one step. *)
let[@poll error] drop_newest_if_begun deque =
  Job.is_begun (Deque.newest deque)
  && begin
    ignore (Deque.pop deque : Job.t);
    true
  end

let[@inline] drop_begun w =
  while drop_newest_if_begun w.deque do
    ()
  done

let put_behind w job =
  let inbox = if w.deque == w.urgent then w.team.urgent_inbox else w.team.inbox in
  if Deque.is_empty w.deque then Deque.push w.deque job else Inbox.add inbox job

let drop w job = undisturbed w (fun () -> Deque.drop w.deque job)

let take_back w sp job =
  lower w sp;
  if w.base > sp then w.base <- sp;
  clear_from w.stack sp;
  drop w job;
  w.limit <- 0

(* For an owner that has not come by since it was asked; says whether thieves can see something
   now. *)
let answer w =
  let forks = w.limit = 0 && w.sp > w.base and loops = Open_loops.are_asked w in
  (forks || loops) && (not w.busy)
  (* Not in the middle of what has filled the stack. *)
  && begin try
    if forks then offer w max_int;
    if loops then Open_loops.give_all w All;
    offers w
  with Stack_overflow -> false
  end
