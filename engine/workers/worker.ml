(* Worker.

   A frame with an open fork may still be carried to another thread of the domain, by an effect
   handler of the user's, and joined there. That is harmless: the threads of a domain change places
   only at safepoints, and none lies between a join's look at its job's state and what it does then;
   a join only ever lowers [sp]; and what lies below [sp] is pending. At worst a thief does not see
   a fork that its own thread then runs. *)

type t = {
  (* Written by the owner all the time. The padding keeps what others write or poll off these cache
     lines. *)
  mutable stack : Job.t array;
  mutable sp : int;
  mutable limit : int;
  mutable base : int;
  mutable thread : int;
  mutable in_hand : bool;
  mutable in_job : bool;
  mutable busy : bool;
  mutable ticks : bool;
  mutable announced : bool;
  mutable searches : bool;
  mutable loops : loop list;
  mutable chain : Chain.t;
  mutable crowds : bool;
  mutable backtraces : bool;
  mutable turns : int;
  mutable depth : int;
  mutable wait : int;
  mutable started : int;
  mutable ended : int;
  mutable points : int;
  mutable woke : float;
  mutable seed : int;
  mutable domain : domain;
  mutable hand : Job.t;
  mutable moving : Job.t list;
  mutable deque : Job.t Deque.t;
  mutable context : Context.t;
  mutable forked_in : Context.t;
  mutable unmasked : bool;
  mutable counted : int;
  pad1 : unit;
  pad2 : unit;
  pad3 : unit;
  pad4 : unit;
  pad5 : unit;
  pad6 : unit;
  pad7 : unit;
  pad8 : unit;
  id : int;
  is_taken : bool Atomic.t;
  team : team;
  mutable this : t option;
  core : Job.t Deque.t;
  urgent : Job.t Deque.t;
  parker : Parker.t;
  mutable spare : bool;
  mutable late : bool;
  mutable attention : unit -> unit;
  mutable interrupter : unit -> unit;
  mutable is_wanted : Interrupter.request;
  mutable is_near : Interrupter.request;
  mutable interrupted_at : float;
  mutable place : (int * string) option;
  mutable time : Processor_time.t option;
  mutable spun : float;
  reported : int Atomic.t;
}

and loop = {
  mutable next : int;
  mutable stop : int;
  mutable until : int;
  mutable has_moved : bool;
  mutable is_long : bool;
  mutable give : t -> portion -> bool;
}

and portion = All | Half | Leaving | Next

and team = {
  name : string;
  mask : int list;
  mutable members : t array;
  inbox : Job.t Inbox.t;
  urgent_inbox : Job.t Inbox.t;
  later : Job.t Inbox.t;
  batches : int Atomic.t;
  sleepers : Sleepers.t;
  searching : int Atomic.t;
  submitted : int Atomic.t;
  phase : phase Atomic.t;
  stopped : unit Ivar.t;
  minor_heap_words : int option;
  mutable record_backtraces : bool;
  domains : unit Domain.t list Atomic.t;
  away : int Atomic.t;
  watching : bool Atomic.t;
  mutable seen : int;
  mutable period : float;
  mutable heap_words : int;
  unseen : Failure.log;
  adaptive : bool;
  mutable active : int;
  mutable crowd : Crowd.t;
  mutable observed_at : float;
  mutable collections : int;
  observing : bool Atomic.t;
}

(* Open --close--> Closing --no task is left--> Stopped *)
and phase = Open | Closing | Stopped

(* The identity of a domain, at the cost of a load: its block of domain-local storage. The block is
   replaced when the storage grows; then a join of this worker's takes the slow path, which sets it
   right. *)
and domain

external domain : unit -> domain = "%dls_get"

let asked = min_int
let ask_loop loop = loop.until <- asked
let moved = min_int + 1
let ask_loops w = List.iter ask_loop w.loops

let[@inline] create_loop next stop =
  { next; stop; until = stop; has_moved = false; is_long = false; give = (fun _ _ -> false) }

let no_loop = create_loop 0 0

(* Which worker is this? *)

let create_team ~name ~mask ~adaptive ~minor_heap_words =
  {
    name;
    mask;
    adaptive;
    active = max_int;
    crowd = Crowd.create ~processors:1 ~free:1 ~now:0. 1;
    observed_at = 0.;
    collections = 0;
    observing = Atomic.make false;
    minor_heap_words;
    record_backtraces = Printexc.backtrace_status ();
    members = [||];
    inbox = Inbox.create ();
    urgent_inbox = Inbox.create ();
    later = Inbox.create ();
    batches = Atomic.make_contended 0;
    sleepers = Sleepers.create ();
    searching = Atomic.make_contended 0;
    submitted = Atomic.make_contended 0;
    phase = Atomic.make Open;
    stopped = Ivar.create ();
    away = Atomic.make 0;
    watching = Atomic.make false;
    seen = 0;
    period = 0.;
    heap_words = 0;
    domains = Atomic.make [];
    unseen = Failure.create_log ();
  }

let no_thread = -1
let is_to_be_interrupted w = w.unmasked && Token.is_interrupted w.context.token.fiber
let has_account w = w.unmasked && w.context.account != Account.none
let is_near_limit w = has_account w && Account.is_near w.context.account

let create team id =
  let core = Deque.create ~nil:Job.none in
  let w =
    {
      stack = Array.make 64 Job.none;
      sp = 0;
      limit = 0;
      base = 0;
      thread = no_thread;
      in_hand = false;
      in_job = false;
      busy = false;
      ticks = false;
      announced = false;
      searches = false;
      loops = [];
      chain = Chain.none;
      crowds = false;
      backtraces = false;
      turns = 0;
      depth = 0;
      wait = -1;
      started = 0;
      ended = 0;
      points = 0;
      woke = 0.;
      seed = (id * 7919) + 1;
      domain = domain ();
      hand = Job.none;
      moving = [];
      deque = core;
      context = Context.none;
      forked_in = Context.none;
      unmasked = false;
      counted = 0;
      pad1 = ();
      pad2 = ();
      pad3 = ();
      pad4 = ();
      pad5 = ();
      pad6 = ();
      pad7 = ();
      pad8 = ();
      id;
      is_taken = Atomic.make false;
      team;
      this = None;
      core;
      urgent = Deque.create ~nil:Job.none;
      parker = Parker.create ();
      spare = false;
      late = false;
      attention = ignore;
      interrupter = ignore;
      is_wanted = Interrupter.no_request;
      is_near = Interrupter.no_request;
      interrupted_at = neg_infinity;
      place = None;
      time = None;
      spun = 0.;
      reported = Atomic.make_contended 0;
    }
  in
  w.this <- Some w;
  w.attention <-
    (fun () ->
      w.limit <- 0;
      ask_loops w);
  w.is_wanted <- Interrupter.create (fun () -> is_to_be_interrupted w);
  w.is_near <- Interrupter.create ~longest:0.004 (fun () -> is_near_limit w);
  w.interrupter <-
    (fun () ->
      w.attention ();
      Interrupter.request w.is_wanted);
  w

let nobody = create (create_team ~name:"none" ~mask:[] ~adaptive:false ~minor_heap_words:None) (-1)

(* No runtime allows more domains. *)
let most = 4096
let table = Array.make most nobody
let[@inline] of_domain () = Array.unsafe_get table (Domain.self_index ())

(* The calling thread's number, as [Thread.id] of [Thread.self], but inlined: a call that neither
   allocates nor raises, and the first field of what stands for a thread. No two threads of a program
   ever have the same. *)

external self : unit -> Thread.t = "caml_thread_self" [@@noalloc]
external number : Thread.t -> int = "%field0"

let () = assert (number (self ()) = Thread.id (Thread.self ()))
let[@inline] this_thread () = number (self ())

(* Apart from the search for [w], so that the processor does both at once. Kernel: fork. *)
let[@inline] is_mine w = w.thread = this_thread ()

let[@inline] here () =
  let w = of_domain () in
  if is_mine w then w else nobody

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

let[@inline] set_depth w depth = w.depth <- depth
let[@inline] set_chain w chain = w.chain <- chain

let[@inline] begin_on_top w =
  w.turns <- w.turns + 1;
  w.limit <- 0

let[@poll error] take index w thread =
  Array.unsafe_get table index == nobody
  && begin
    Array.unsafe_set table index w;
    w.thread <- thread;
    true
  end

let[@poll error] give_back index w =
  w.thread <- no_thread;
  Array.unsafe_set table index nobody

let enter w =
  take (Domain.self_index ()) w (this_thread ())
  && begin
    w.backtraces <- Printexc.backtrace_status ();
    w.ticks <- false;
    w.spare <- false;
    w.domain <- domain ();
    true
  end

let leave w = give_back (Domain.self_index ()) w
let[@inline] is_still w = w.domain == domain ()
let recognise w = w.domain <- domain ()
let[@inline] is_last_turn w = (w.turns + 1) land 63 = 0
(* Loops *)

let[@inline] enter_loop w loop = w.loops <- loop :: w.loops

let[@inline] leave_loop w loop =
  match w.loops with l :: loops when l == loop -> w.loops <- loops | _ -> ()

let set_late w is_late = w.late <- is_late
let join_crowd w = w.crowds <- true
let seldom = 200e-6 (* seconds *)

let may_wake w now =
  now -. w.woke > seldom
  && begin
    w.woke <- now;
    true
  end

let[@inline] pass_point w = w.points <- w.points + 1

let[@inline] undisturbed w f =
  let before = w.busy in
  w.busy <- true;
  match f () with
  | result ->
      w.busy <- before;
      result
  | exception exn ->
      w.busy <- before;
      raise exn

(* Contexts

   The forks of a worker that are Private were all made in one context, [forked_in], which is that of
   the code ([context]) or of an outer level of it. Whoever changes [context] sets the limit to 0: so
   the next fork is slow, and publishes the older ones first (see [Fork_stack.settle]). *)

(* Interruption

   The code of a context that is [interruptible] gets the exception of a cancellation at its next
   safepoint, from the finaliser of [Ticker]. Only while the worker is [unmasked]: from the first
   step of a task's or a fork's own code, inside of what catches its exceptions, to its last one,
   and not while it is suspended or lies beneath another. So the scheduler, which runs in between and may have
   the context still, is not interrupted. *)

let[@inline] attention_in w (context : Context.t) =
  if context.interruptible then w.interrupter else w.attention

(* First unmasks and then looks; pairs with [Token.interrupt]. *)
let unmask_now w =
  if w.context.account != Account.none then w.counted <- Account.words ();
  w.unmasked <- true;
  if Token.is_interrupted w.context.token.fiber then Interrupter.request w.is_wanted

let[@inline] unmask w = if w.context.interruptible then unmask_now w

let mask_now w =
  let account = w.context.account in
  w.unmasked <- false;
  if account != Account.none then Account.add account (Account.words () - w.counted)

let[@inline] mask w = if w.unmasked then mask_now w
let mask_in_any_case w = match mask w with () -> () | exception _ -> ()
let[@inline] mask_here () = mask (of_domain ())

let[@inline] mask_in_handler () =
  let w = of_domain () in
  if w.unmasked then mask_in_any_case w

let[@inline] unmask_again () = unmask (of_domain ())

(* Gives code that cleans up some time before it is interrupted again, as code that bears all
   exceptions must be. *)
let pause = 0.02 (* seconds *)

(* At a collection. *)
let check_account w =
  let account = w.context.account and now = Account.words () in
  Account.add account (now - w.counted);
  w.counted <- now;
  Account.check account;
  if Account.is_near account then Interrupter.ensure w.is_near

(* The caller is a finaliser. *)
let interrupt w =
  if has_account w then check_account w;
  let now = Clock.now () in
  if is_to_be_interrupted w && now -. w.interrupted_at > pause then begin
    w.interrupted_at <- now;
    Token.poll w.context.token.fiber
  end

let[@inline] deque_for w ~urgent = if urgent then w.urgent else w.core

let[@inline] adopt w (context : Context.t) =
  w.context <- context;
  w.limit <- 0;
  let deque = deque_for w ~urgent:context.urgent in
  if w.deque != deque then w.deque <- deque;
  Token.attend context.token.fiber (attention_in w context)

let forget_context w =
  w.context <- Context.none;
  w.forked_in <- Context.none

let turn_to w (context : Context.t) =
  mask w;
  adopt w context;
  if Token.is_interrupted context.token.fiber then ask_loops w;
  unmask w

let[@inline] run_in w context =
  w.context <- context;
  w.limit <- 0

let come_back w (before : Context.t) =
  if is_mine w then begin
    w.context <- before;
    w.limit <- 0;
    if Token.is_interrupted before.token.fiber then ask_loops w;
    unmask w
  end
  else begin
    let w = of_domain () in
    adopt w before;
    ask_loops w;
    unmask w
  end

let apart w context f x =
  let before = w.context in
  mask w;
  run_in w context;
  match f x with
  | () ->
      Token.hand_on context.token.fiber before.token.fiber;
      come_back w before
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Token.hand_on context.token.fiber before.token.fiber;
      come_back w before;
      Printexc.raise_with_backtrace exn backtrace
