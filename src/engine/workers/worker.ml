(* Worker.

   A frame with an open fork may still be carried to another thread of the domain, by an effect
   handler of the user's, and joined there. That is harmless: one thread of a domain follows another
   only at safepoints, and none lies between a join's look at its job's state and what it does then;
   a join only ever lowers [sp]; and what lies below [sp] is pending. At worst a thief does not see
   a fork that its own thread then runs. *)

include Anatomy

(* Their creation *)

let create_team ~name ~size ~mask ~adaptive ~minor_heap_words =
  let crowd = { most = 1; stage = All; few = 1; hold = 0.; holds_until = 0.; lately = 0. } in
  {
    name;
    mask;
    members = [||];
    inbox = Inbox.create ~nil:Job.none;
    urgent_inbox = Inbox.create ~nil:Job.none;
    batches = Atomic.make_contended 0;
    sleepers = Sleepers.create size;
    help = { cost = 5e-6; latency = 2e-5 };
    searching = Atomic.make_contended 0;
    submitted = Atomic.make_contended 0;
    lookout = Atomic.make_contended false;
    next_demand = Atomic.make_contended 0;
    present = Atomic.make_contended 0;
    phase = Atomic.make_contended Open;
    stopped = Ivar.create ();
    minor_heap_words;
    heap_words = 0;
    record_backtraces = Printexc.backtrace_status ();
    domains = Atomic.make [];
    callers = Atomic.make [];
    is_looked_after = Atomic.make false;
    unseen = Failure.create_log ();
    adaptive;
    active = max_int;
    crowding = { crowd; observed_at = 0.; is_observed = Atomic.make false };
  }

let create_pace () =
  {
    offered = 0.;
    back = 0.;
    shown = 0.;
    taken = 0.;
    noticed = neg_infinity;
    period = infinity;
    rung = 0.;
    delay = 2e-6;
  }

let create_slice () =
  {
    kind = Own;
    has_woken = false;
    own_waits = false;
    is_called = false;
    lets_pass = false;
    stride = 1;
    skip = 0;
    times = { began = 0.; length = 0.; looked_at = 0.; turned = 0. };
  }

let no_interruption =
  let no = Interrupter.create (fun () -> false) in
  {
    call = ignore;
    is_wanted = no;
    is_near = no;
    latest = { source = Token.none; count = 0; at = neg_infinity };
    counted = { allocated = 0; major = 0 };
  }

(* A worker that has nothing, in no pool: all begin like this. *)
let nobody =
  let deque = Deque.create ~nil:Job.none in
  {
    stack = [||];
    sp = 0;
    limit = 0;
    credit = 0;
    spared = 0;
    burst = 0;
    tiny = 0;
    short = 0;
    base = 0;
    thread = -1;
    in_hand = false;
    in_job = false;
    in_section = true;
    to_look = false;
    announced = false;
    searches = false;
    loops = [];
    turns = 0;
    stack_id = -1;
    depth = 0;
    wait = -1;
    started = 0;
    ended = 0;
    points = 0;
    seed = 1;
    looks = 0;
    search_for = 0;
    near = -1;
    searched = 0;
    hand = Job.none;
    victim = -1;
    deque;
    context = Context.none;
    forked_in = Context.none;
    ticks = false;
    backtraces = false;
    domain = This_thread.domain ();
    pace = create_pace ();
    slice = create_slice ();
    vain = 0;
    seen_still = -1;
    late = false;
    attention = ignore;
    interruption = no_interruption;
    id = -1;
    is_taken = Atomic.make false;
    team = create_team ~name:"none" ~size:0 ~mask:[] ~adaptive:false ~minor_heap_words:None;
    this = None;
    core = deque;
    urgent = deque;
    put_off = Inbox.create ~nil:Job.none;
    parker = Parker.create ();
    (* How long a look takes is a guess at first. *)
    load = { file = None; time = None; seen_looks = 0; look = 5e-8 };
    reported = Atomic.make 0;
  }

(* See [Ticker] *)

let[@inline] is_to_be_interrupted w =
  w.context.interruptible && Token.is_interrupted w.context.token

let has_account w = w.context.interruptible && w.context.account != Account.none

(* Loops in progress *)

let asked = min_int
let fresh = min_int + 1
let alerted = min_int + 2
let counted = -1

(* Many thieves ask one loop. *)
let ask_loop loop = if loop.until <> asked then loop.until <- asked
let ask_loops w = List.iter ask_loop w.loops

let alert w =
  if w.limit > 0 then w.limit <- 0;
  w.slice.skip <- 0;
  w.to_look <- true;
  List.iter (fun loop -> if loop.until >= loop.next then loop.until <- alerted) w.loops

let create team id =
  let core = Deque.create ~nil:Job.none in
  let w =
    {
      nobody with
      id;
      team;
      stack = Array.make 32 Job.none;
      seed = (id * 7919) + 1;
      is_taken = Atomic.make false;
      deque = core;
      core;
      urgent = Deque.create ~nil:Job.none;
      put_off = Inbox.create ~nil:Job.none;
      parker = Parker.create ();
      load = { nobody.load with file = None };
      slice = create_slice ();
      pace = create_pace ();
      reported = Atomic.make_contended 0;
    }
  in
  let attend () =
    w.limit <- 0;
    w.to_look <- true;
    ask_loops w
  and is_near () = has_account w && Account.is_near w.context.account in
  let is_wanted = Interrupter.create (fun () -> is_to_be_interrupted w)
  and is_near = Interrupter.create ~longest:0.004 is_near in
  let call () =
    w.attention ();
    Interrupter.request is_wanted
  in
  w.this <- Some w;
  w.attention <- attend;
  w.interruption <- { no_interruption with call; is_wanted; is_near };
  w

(* Which worker is this? *)

(* No runtime allows more domains. *)
let most = 4096

(* The workers by domain; and the thread that is a worker is tagged with its index here. Nobody is
   at the first, which is that of all other threads. *)
let table = Array.make (1 + most) nobody
let[@inline] of_domain () = Array.unsafe_get table (1 + Domain.self_index ())
let[@inline] here () = Array.unsafe_get table (This_thread.tag ())

(* The same, if it runs a task, of which the caller is part. A signal's handler that interrupts it
   between two tasks is part of none. *)
let[@inline] task_of w = if w.in_job then w.this else None
let[@inline] mine () = task_of (here ())

(* Another domain may write it meanwhile: neither what was there nor what comes is the caller's. *)
let[@inline] is_still w = w.domain == This_thread.domain ()
let recognise w = w.domain <- This_thread.domain ()

(* Its thread *)

let[@poll error] take w =
  let index = 1 + Domain.self_index () in
  Array.unsafe_get table index == nobody
  && begin
    Array.unsafe_set table index w;
    This_thread.set_tag index;
    w.thread <- This_thread.number ();
    w.domain <- This_thread.domain ();
    w.ticks <- false;
    true
  end

(* How much of the table is in use, at most. *)
let used = Atomic.make 0

let rec note_index index =
  let before = Atomic.get used in
  if index >= before && not (Atomic.compare_and_set used before (index + 1)) then note_index index

let become w =
  note_index (1 + Domain.self_index ());
  take w
  && begin
    w.backtraces <- Printexc.backtrace_status ();
    true
  end

let[@poll error] step_down w =
  if w == here () then begin
    Array.unsafe_set table (This_thread.tag ()) nobody;
    This_thread.set_tag 0;
    w.thread <- -1
  end

(* What it does *)

(* To be part of the step that claims [job]. That [hand] still refers to an older one spares most
   stores a line in the list of references to young blocks. *)
let[@inline] pick_up w job =
  w.hand <- job;
  w.in_hand <- true

let[@inline] empty_hand w =
  let (Job job) = w.hand in
  Job.forget_body job;
  w.in_hand <- false

let[@inline] next_wait w =
  w.wait <- Events.wait_after w.wait;
  w.wait

(* Comes to where a third of the samples lie below: one that is far off, as the system had taken the processor away,
   moves it no further than another. *)
let follow estimate sample = if sample > estimate then 1.1 *. estimate else estimate /. 1.2
let[@inline] pass_point w = w.points <- w.points + 1
let[@inline] deque_for w ~urgent = if urgent then w.urgent else w.core

(* The context of its code.

   The forks of a worker that are Private were all made in one context, [forked_in], which is that of
   the code ([context]) or of an outer level of it. A change of [context] sets the limit to 0: so the next
   fork is slow, and publishes the older ones first (see [Fork_stack.follow_context]). *)

let[@inline never] count_words_for w account =
  let words = Account.words () in
  Account.add account ~since:w.interruption.counted words;
  w.interruption.counted <- words

let account_of (context : Context.t) =
  if context.interruptible then context.account else Account.none

let count_words w = count_words_for w (account_of w.context)

(* What its code has allocated until now is that of [before]. After the change of context, as a signal's
   handler may raise here. *)
let[@inline] count_change w (before : Context.t) =
  if w.context.account != Account.none || before.account != Account.none then
    count_words_for w (account_of before)

let[@inline] enter w context =
  w.context <- context;
  w.limit <- 0

(* Only sets [to_look], which others may just have set, too: see [Point]. *)
let[@inline] look_at_context w =
  if Token.is_alerted w.context.token || Timers.is_any () then w.to_look <- true

let[@inline] run_in w context =
  let before = w.context in
  enter w context;
  look_at_context w;
  count_change w before

let iter f =
  for i = 1 to Atomic.get used - 1 do
    let w = table.(i) in
    if w != nobody then f (i - 1) w
  done

(* Pairs with the step in [Token.start]: a worker that is not in the table, or not in this context, looks later. *)
let () =
  Token.on_cancellation (fun () ->
      iter (fun _ w -> if w.context.interruptible then w.interruption.call () else w.attention ()))

let[@inline] attention_in w (context : Context.t) =
  if context.interruptible then w.interruption.call else w.attention

let[@inline] adopt w (context : Context.t) =
  let before = w.context in
  enter w context;
  let deque = deque_for w ~urgent:context.urgent in
  if w.deque != deque then w.deque <- deque;
  Token.attend context.token (attention_in w context);
  look_at_context w;
  count_change w before

let forget_context w =
  let before = w.context in
  enter w Context.none;
  count_change w before;
  w.forked_in <- Context.none

let change_context w (context : Context.t) =
  adopt w context;
  if Token.is_alerted context.token then ask_loops w

let return_to w (before : Context.t) =
  let now = here () in
  if now == w then begin
    run_in w before;
    if Token.is_alerted before.token then ask_loops w
  end
  else if now != nobody then
    (* Carried away: but perhaps to a thread that is no worker, whose code is in no context. *)
    change_context now before
