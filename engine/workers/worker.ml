(* Worker.

   A frame with an open fork may still be carried to another thread of the domain, by an effect
   handler of the user's, and joined there. That is harmless: the threads of a domain change places
   only at safepoints, and none lies between a join's look at its job's state and what it does then;
   a join only ever lowers [sp]; and what lies below [sp] is pending. At worst a thief does not see
   a fork that its own thread then runs. *)

include Anatomy

(* Their creation *)

let create_team ~name ~mask ~adaptive ~minor_heap_words =
  let crowd = Crowd.create ~processors:1 1 in
  {
    name;
    mask;
    members = [||];
    inbox = Inbox.create ();
    urgent_inbox = Inbox.create ();
    later = Inbox.create ();
    batches = Atomic.make_contended 0;
    sleepers = Sleepers.create ();
    searching = Atomic.make_contended 0;
    submitted = Atomic.make_contended 0;
    lookout = Atomic.make false;
    phase = Atomic.make Open;
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
    crowding = { crowd; observed_at = 0.; collections = 0; is_observed = Atomic.make false };
  }

let no_thread = -1

(* How long a round of a search takes is a guess at first. *)
let create_load () = { place = None; time = None; seen_rounds = 0; round = 5e-8 }

let create_interruption call ~is_wanted ~is_near =
  { call; is_wanted; is_near; happened_at = neg_infinity; counted = 0 }

let no_interruption =
  let no_request = Interrupter.no_request in
  create_interruption ignore ~is_wanted:no_request ~is_near:no_request

(* A worker that has nothing, in no pool: all begin like this. *)
let nobody =
  let deque = Deque.create ~nil:Job.none in
  {
    stack = [||];
    sp = 0;
    limit = 0;
    credit = 0;
    tiny = 0;
    short = 0;
    offered_at = 0.;
    base = 0;
    thread = no_thread;
    in_hand = false;
    in_job = false;
    in_section = true;
    ticks = false;
    announced = false;
    searches = false;
    loops = [];
    queues = false;
    backtraces = false;
    turns = 0;
    stack_id = -1;
    depth = 0;
    wait = -1;
    started = 0;
    ended = 0;
    points = 0;
    woke = 0.;
    seed = 1;
    rounds = 0;
    domain = domain ();
    hand = Job.none;
    victim = -1;
    moving = [];
    deque;
    context = Context.none;
    forked_in = Context.none;
    pad1 = ();
    pad2 = ();
    pad3 = ();
    pad4 = ();
    pad5 = ();
    pad6 = ();
    pad7 = ();
    pad8 = ();
    id = -1;
    is_taken = Atomic.make false;
    team = create_team ~name:"none" ~mask:[] ~adaptive:false ~minor_heap_words:None;
    this = None;
    core = deque;
    urgent = deque;
    parker = Parker.create ();
    seen_still = -1;
    late = false;
    attention = ignore;
    interruption = no_interruption;
    load = create_load ();
    reported = Atomic.make 0;
  }

(* See [Section] *)

let is_to_be_interrupted w = w.context.interruptible && Token.is_interrupted w.context.token
let has_account w = w.context.interruptible && w.context.account != Account.none
let is_near_limit w = has_account w && Account.is_near w.context.account

let interruption w =
  let is_wanted = Interrupter.create (fun () -> is_to_be_interrupted w)
  and is_near = Interrupter.create ~longest:0.004 (fun () -> is_near_limit w) in
  let call () =
    w.attention ();
    Interrupter.request is_wanted
  in
  create_interruption call ~is_wanted ~is_near

let[@inline] attention_in w (context : Context.t) =
  if context.interruptible then w.interruption.call else w.attention

(* Loops in progress *)

let asked = min_int
let fresh = min_int + 1
let ask_loop loop = loop.until <- asked
let ask_loops w = List.iter ask_loop w.loops

let attend w () =
  w.limit <- 0;
  ask_loops w

let create team id =
  let core = Deque.create ~nil:Job.none in
  let w =
    {
      nobody with
      id;
      team;
      stack = Array.make 32 Job.none;
      seed = (id * 7919) + 1;
      domain = domain ();
      is_taken = Atomic.make false;
      deque = core;
      core;
      urgent = Deque.create ~nil:Job.none;
      parker = Parker.create ();
      load = create_load ();
      reported = Atomic.make_contended 0;
    }
  in
  w.this <- Some w;
  w.attention <- attend w;
  w.interruption <- interruption w;
  w

(* Which worker is this? *)

(* No runtime allows more domains. *)
let most = 4096

(* The workers by domain; and the thread that is a worker is tagged with its place here. Nobody is
   at the first, which is that of all other threads. *)
let table = Array.make (1 + most) nobody
let[@inline] index () = 1 + Domain.self_index ()
let[@inline] of_domain () = Array.unsafe_get table (index ())
let[@inline] here () = Array.unsafe_get table (This_thread.tag ())
let[@inline] is_mine w = w == here ()

(* The same, if it runs a task, of which the caller is part. A signal's handler that interrupts it
   between two tasks is part of none. *)
let[@inline] mine () =
  let w = here () in
  if w.in_job then w.this else None

(* To be part of the step that claims [job]. That [hand] still refers to an older one spares most
   stores their place in the list of references to young blocks. *)
let[@inline] pick_up w job =
  w.hand <- job;
  w.in_hand <- true

let[@inline] empty_hand w =
  let (Job job) = w.hand in
  Job.forget_body job;
  w.in_hand <- false

let[@inline] drop_hand w = w.in_hand <- false
let[@inline] count_start w = w.started <- w.started + 1
let[@inline] retract_start w = w.started <- w.started - 1
let[@inline] count_end w = w.ended <- w.ended + 1

let[@inline] next_wait w =
  let wait = Events.wait_after w.wait in
  w.wait <- wait;
  wait

let[@inline] set_stack_id w id = w.stack_id <- id
let[@inline] set_depth w depth = w.depth <- depth

let[@inline] begin_on_top w =
  w.turns <- w.turns + 1;
  w.limit <- 0

let[@poll error] take index w thread =
  Array.unsafe_get table index == nobody
  && begin
    Array.unsafe_set table index w;
    w.thread <- thread;
    This_thread.set_tag index;
    true
  end

let[@poll error] give_back index w =
  This_thread.set_tag 0;
  w.thread <- no_thread;
  Array.unsafe_set table index nobody

let enter w =
  take (index ()) w (This_thread.number ())
  && begin
    w.backtraces <- Printexc.backtrace_status ();
    w.ticks <- false;
    w.domain <- domain ();
    true
  end

let leave w = if is_mine w then give_back (index ()) w

(* Another domain may write it meanwhile: neither what was there nor what comes is the caller's. *)
let[@inline] is_still w = w.domain == domain ()
let recognise w = w.domain <- domain ()
let set_late w is_late = w.late <- is_late
let join_queue w = w.queues <- true
let[@inline] pass_point w = w.points <- w.points + 1
let[@inline] deque_for w ~urgent = if urgent then w.urgent else w.core
