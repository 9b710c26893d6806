(* Worker: one thread's place in a pool, and how code finds out which worker runs it.

   Systhreads. Other threads of a worker's domain find the same worker by the domain's index, and
   push and pop forks between its own. That is harmless: the threads of a domain change places only
   at safepoints, and none lies between a join's look at its job's state and what it does then; a
   join only ever lowers [sp]; what lies below [sp] is pending; and whatever is more than a push or
   a pop first asks which thread it is ([mine]). At worst a thief does not see a fork that its own
   thread then runs. *)

type t = {
  (* Written by the owner all the time. The padding keeps what others write or poll off these cache
     lines. *)
  mutable stack : Job.t array;
  mutable sp : int; (* the forks are stack.(0 .. sp - 1) *)
  mutable limit : int;
  mutable base : int; (* the forks below are not Private *)
  mutable in_job : bool; (* which has begun and not ended *)
  mutable busy : bool; (* see [undisturbed] *)
  mutable ticks : bool; (* see [Ticker] *)
  mutable announced : bool; (* as a sleeper *)
  mutable searches : bool; (* it counts in [team.searching] *)
  mutable loops : loop list; (* that its task is in, innermost first *)
  mutable chain : chain; (* of iterations that wait on its stack; see [Ahead] *)
  mutable crowds : bool; (* waits for a batch, with more others than one batch takes *)
  mutable backtraces : bool; (* whether its domain records them *)
  mutable turns : int; (* of the worker's loop, and tasks that began on top of another *)
  mutable depth : int; (* how many lie beneath the task that it runs *)
  mutable wait : int; (* the number of the latest wait of its tasks; see [Events] *)
  mutable started : int; (* tasks that it started, and that ended on it *)
  mutable ended : int;
  mutable points : int; (* scheduling points that its tasks have passed; not each is counted *)
  mutable woke : float; (* when it last woke another for a loop, in seconds *)
  mutable seed : int;
  mutable domain : domain;
  mutable hand : Job.t; (* that it has claimed, and whose code has not begun; or none *)
  mutable moving : Job.t list; (* from an inbox to a deque *)
  mutable deque : Job.t Deque.t; (* [urgent] while it runs a part of a batch, else [core] *)
  mutable context : Context.t; (* of the code that it runs *)
  mutable outer : (int * Context.t) list;
      (* (n, c): the forks below n have the context c, unless an older entry holds for them *)
  pad1 : unit;
  pad2 : unit;
  pad3 : unit;
  pad4 : unit;
  pad5 : unit;
  pad6 : unit;
  pad7 : unit;
  pad8 : unit;
  id : int; (* its index in [team.members] *)
  team : team;
  mutable thread : Thread.t option; (* who it is now *)
  mutable this : t option; (* itself *)
  core : Job.t Deque.t;
  urgent : Job.t Deque.t;
  parker : Parker.t;
  mutable late : bool; (* see [Watch] *)
  mutable attention : unit -> unit; (* makes its next fork or iteration look around *)
  reported : int Atomic.t; (* [ended] when it last looked for others' work *)
}

(* A loop in progress, as the scheduler sees it: the iterations next .. stop - 1 are left. The loop
   does them while they are below [until], which is [stop] or less; then it looks what there is to
   do. [give w what] is [false] if there is nothing that [w] may give: the loop's worker, and for a
   half any thief of its pool while the loop is open (see [Rest]). *)
and loop = {
  mutable next : int;
  mutable stop : int;
  mutable until : int;
  mutable has_moved : bool; (* [next] is not what its worker believes, which looks at [until] *)
  mutable is_long : bool; (* a thief waited long for the end of an iteration *)
  mutable give : t -> portion -> bool;
}

(* A job, for the deque of [w], for all that is left or for a half of it; for all, because the task
   leaves [w]; or the next iteration, which [w] begins here and now (see [Ahead]). *)
and portion = All | Half | Leaving | Next

(* The iterations that wait on a worker's stack, each on top of the one before: for what object, how
   many, and since when, in seconds; and since when the latest can go on, or 0. *)
and chain = { awaited : int; mutable length : int; since : float; mutable free_since : float }

(* What the workers of a pool share. *)
and team = {
  name : string;
  mutable members : t array;
  inbox : Job.t Inbox.t;
  urgent_inbox : Job.t Inbox.t; (* goes before all other work *)
  later : Job.t Inbox.t; (* for workers that have nothing else *)
  batches : int Atomic.t; (* that have been launched and have not ended *)
  sleepers : Sleepers.t;
  searching : int Atomic.t; (* workers that look for work, or were just woken to *)
  submitted : int Atomic.t; (* tasks started from outside *)
  phase : phase Atomic.t;
  stopped : unit Ivar.t; (* filled with the step to Stopped *)
  minor_heap_words : int option; (* of each worker's domain; else it adapts *)
  mutable record_backtraces : bool; (* as those who submit tasks do *)
  lent : bool Atomic.t; (* somebody is members.(0) *)
  domains : unit Domain.t list Atomic.t; (* its own *)
  unseen : Failure.log;
}

(* Open --close--> Closing --no task is left--> Stopped *)
and phase = Open | Closing | Stopped

(* The identity of a domain, at the cost of a load: its block of domain-local storage. The block is
   replaced when the storage grows; then a join of this worker's takes the slow path, which sets it
   right. *)
and domain

external domain : unit -> domain = "%dls_get"

(* Below every iteration: stands in [until] of a loop that was asked for a part. It is a plain
   field: a request that is lost is repeated, as that of a fork's worker. *)
let asked = min_int
let ask_loop loop = loop.until <- asked

(* Likewise, for one that has moved, and was not asked. *)
let moved = min_int + 1
let ask_loops w = List.iter ask_loop w.loops

let create_loop next stop =
  { next; stop; until = stop; has_moved = false; is_long = false; give = (fun _ _ -> false) }

(* Stands for the absence of a loop. *)
let no_loop = create_loop 0 0
let create_chain awaited since = { awaited; length = 0; since; free_since = 0. }
let no_chain = create_chain (-1) 0.

(* Which worker is this? *)

let create_team ~name ~minor_heap_words =
  {
    name;
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
    lent = Atomic.make false;
    domains = Atomic.make [];
    unseen = Failure.create_log ();
  }

let create team id =
  let core = Deque.create ~nil:Job.none in
  let w =
    {
      stack = Array.make 64 Job.none;
      sp = 0;
      limit = 0;
      base = 0;
      in_job = false;
      busy = false;
      ticks = false;
      announced = false;
      searches = false;
      loops = [];
      chain = no_chain;
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
      outer = [];
      pad1 = ();
      pad2 = ();
      pad3 = ();
      pad4 = ();
      pad5 = ();
      pad6 = ();
      pad7 = ();
      pad8 = ();
      id;
      team;
      thread = None;
      this = None;
      core;
      urgent = Deque.create ~nil:Job.none;
      parker = Parker.create ();
      late = false;
      attention = ignore;
      reported = Atomic.make_contended 0;
    }
  in
  w.this <- Some w;
  w.attention <-
    (fun () ->
      w.limit <- 0;
      ask_loops w);
  w

(* Stands for the absence of a worker. Its limit stays 0, so that every fork outside a pool takes
   the slow path. *)
let nobody = create (create_team ~name:"none" ~minor_heap_words:None) (-1)

(* No runtime allows more domains. *)
let most = 4096

(* The workers by the index of their domain. *)
let table = Array.make most nobody

(* The worker of this domain, or [nobody]. The thread may be another one. *)
let[@inline] here () = Array.unsafe_get table (Domain.self_index ())

(* The worker that this very thread is, i.e. that runs the calling task. *)
let[@inline] mine () =
  let w = here () in
  match w.thread with Some thread when thread == Thread.self () -> w.this | Some _ | None -> None

let is_mine w = match mine () with Some w' -> w' == w | None -> false

(* Makes the calling thread the worker [w]; [false] if another thread of the domain is a worker
   already. *)
let enter w =
  let index = Domain.self_index () in
  table.(index) == nobody
  && begin
    w.thread <- Some (Thread.self ());
    w.backtraces <- Printexc.backtrace_status ();
    w.ticks <- false;
    w.domain <- domain ();
    table.(index) <- w;
    true
  end

let leave w =
  table.(Domain.self_index ()) <- nobody;
  w.thread <- None

(* Whether [w], found by [here] before, is still the worker of this domain: the caller's frame has
   not moved. *)
let[@inline] is_still w = w.domain == domain ()

(* Whether the next turn of its loop looks after what would wait for ever. *)
let[@inline] is_last_turn w = (w.turns + 1) land 63 = 0
let[@inline] pass_point w = w.points <- w.points + 1

(* Keeps the ticker away while [f] changes what the worker offers. *)
let[@inline] undisturbed w f =
  let before = w.busy in
  w.busy <- true;
  let result = f () in
  w.busy <- before;
  result

(* Contexts *)

(* Where the fork [i] of the stack was made. *)
let context_of_fork w i =
  let rec go found = function (n, c) :: older when i < n -> go c older | _ -> found in
  go w.context w.outer

let[@inline] deque_for w ~urgent = if urgent then w.urgent else w.core

(* The worker runs code of this context from now on. *)
let[@inline] adopt w (context : Context.t) =
  w.context <- context;
  let deque = deque_for w ~urgent:context.urgent in
  if w.deque != deque then w.deque <- deque;
  Token.attend context.token.fiber w.attention

(* Calls [f] in another context. It may come back on another worker of the pool: then the forks from
   before are not on its stack, and nor is the entry. *)
let within context f =
  let come_back before w =
    w.limit <- 0;
    adopt w before;
    if Token.is_interrupted before.token.fiber then ask_loops w;
    match w.outer with [] -> () | _ :: older -> w.outer <- older
  in
  match mine () with
  | None -> assert false (* the caller is in a task *)
  | Some w ->
      let before = w.context in
      w.outer <- (w.sp, before) :: w.outer;
      adopt w context;
      Fun.protect f ~finally:(fun () -> Option.iter (come_back before) (mine ()))

(* Calls [f x] in a context whose fiber is never cancelled, which spares telling it the worker. *)

let come_back w (before : Context.t) outer =
  let attend w =
    w.limit <- 0;
    ask_loops w
  in
  match mine () with
  | Some w' when w' == w ->
      if w.outer == outer && w.sp > 0 then w.outer <- List.tl outer;
      w.context <- before;
      if Token.is_interrupted before.token.fiber then attend w
  | Some w' ->
      adopt w' before;
      attend w'
  | None -> assert false (* a task comes back on a worker *)

let apart w context f x =
  let before = w.context in
  if w.sp > 0 then w.outer <- (w.sp, before) :: w.outer;
  let outer = w.outer in
  w.context <- context;
  match f x with
  | () -> come_back w before outer
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      come_back w before outer;
      Printexc.raise_with_backtrace exn backtrace
