(** Anatomy: what workers, their loops and their pools consist of. They refer to each other, so they
    are here together.

    A worker's fields are written by the worker itself, unless they say otherwise. *)

(** Open --close--> Closing --no task is left--> Stopped *)
type phase = Open | Closing | Stopped

(** Whose turn it is: what lies in the worker's deque, what has come, what was put off. *)
type kind = Own | New | Put_off

(** Who may give parts of a loop: its worker, which is at it or not; or, once its frame has moved,
    nobody. *)
type lock = Free | Giving | Seized

(** What a loop has given away, from left to right; [behind] is the last iteration. *)
type parts = No_part | Part of { job : Job.t; behind : int; others : parts }

type window = { ran : float; spun : float; waiting : float }
(** The load of a pool in a window of time: for its tasks, searches apart, so many processors work;
    so many only search; and so many workers wait for a processor, on average. *)

(** Whether all workers of a pool work, or fewer, and what that is compared with: see [Crowd]. *)
type stage = All | Trial of window | Fewer of window | Look of window

type crowd = {
  most : int;  (** that are worth a processor, as there are no more *)
  stage : stage;
  few : int;
  hold : float;  (** how long the outcome of a comparison holds; and until when, in seconds *)
  holds_until : float;
  lately : float;  (** how many waited: half of that in the latest window *)
}
(** How many workers are worth their processors, as far as that has been found out. *)

type t = {
  (* Written all the time *)
  (* The fork stack: see [Fork_stack]. *)
  mutable stack : Job.t array;
  mutable sp : int;  (** the forks are stack.(0 .. sp - 1) *)
  mutable limit : int;
  mutable credit : int;  (** outermost forks that stay private from now on *)
  mutable spared : int;  (** what [credit] was after the latest that was offered *)
  mutable burst : int;  (** outermost forks that were offered right after each other *)
  mutable tiny : int;  (** outermost forks in a row that were not worth offering *)
  mutable short : int;  (** the same, that were not worth a wake-up *)
  mutable base : int;  (** the forks below are not Private *)
  mutable thread : int;  (** the number of the thread that is this worker, or -1 *)
  mutable in_hand : bool;  (** the code of [hand] has not begun *)
  mutable in_job : bool;  (** which has begun and not ended *)
  mutable in_section : bool;  (** it runs the library's code, not the user's: see [Section] *)
  mutable to_look : bool;
      (** its code is to look around at its next point (see [Point]); any thread sets it *)
  mutable announced : bool;  (** as a sleeper *)
  mutable searches : bool;  (** it counts in [team.searching] *)
  mutable loops : loop list;  (** that its task is in, innermost first: see [Open_loops] *)
  mutable turns : int;  (** of its loop, and tasks that began on top of another *)
  mutable stack_id : int;  (** the stack on which its task has begun: see [This_thread] *)
  mutable depth : int;  (** how many lie beneath the task that it runs *)
  mutable wait : int;  (** the number of the latest wait of its tasks; see [Events] *)
  mutable started : int;  (** tasks that it started, and that ended on it *)
  mutable ended : int;
  mutable points : int;  (** scheduling points that its tasks have passed; not each is counted *)
  mutable seed : int;
  mutable looks : int;  (** at others, in all its searches *)
  mutable search_for : int;
      (** looks of its next search, if more than the shortest; who wakes it writes it, too *)
  mutable near : int;  (** who its next search begins with, by [id]; or -1; the same *)
  mutable searched : int;  (** looks of a search that has ended with what it runs; or 0 *)
  mutable hand : Job.t;  (** the last that it has claimed *)
  mutable victim : int;  (** from whom that was stolen, by [id]; or -1 *)
  mutable deque : Job.t Deque.t;  (** [urgent] while it runs a part of a batch, else [core] *)
  mutable context : Context.t;  (** of the code that it runs: see [Worker] *)
  mutable forked_in : Context.t;  (** in which its Private forks were made *)
  (* Seldom written. They keep what others poll, below, off the cache lines of what is above. *)
  mutable ticks : bool;  (** see [Ticker] *)
  mutable backtraces : bool;  (** whether its domain records them *)
  mutable domain : This_thread.domain;
  pace : pace;
  mutable vain : int;  (** looks in a row, as the lookout, that saw nothing hidden *)
  mutable seen_still : int;  (** points of the others before its latest pause: see [Crowd] *)
  mutable late : bool;  (** it is to say where it is, at the next minor collection; by any thread *)
  mutable attention : unit -> unit;  (** makes its next fork or iteration look around *)
  mutable interruption : interruption;
  slice : slice;
  (* For all *)
  id : int;  (** its index in [team.members] *)
  is_taken : bool Atomic.t;  (** some thread is it, or comes to be; see [Domains] *)
  team : team;
  mutable this : t option;  (** itself *)
  core : Job.t Deque.t;
  urgent : Job.t Deque.t;
  put_off : Job.t Inbox.t;  (** tasks that it has put off: see [Slice] *)
  parker : Parker.t;
  load : load;
  reported : int Atomic.t;  (** [ended] when it last looked for others' work *)
}
(** The type for workers. *)

and slice = {
  mutable kind : kind;  (** of what it runs *)
  mutable has_woken : bool;  (** its task, others, which lie in its deque *)
  mutable own_waits : bool;  (** what lies in its deque waits in turn: see [Slice] *)
  mutable is_called : bool; [@atomic]  (** its thread, elsewhere: see [Domains] *)
  mutable lets_pass : bool;  (** urgent work goes behind what waits in turn *)
  mutable stride : int;  (** from one look at the clock to the next, in forks or iterations *)
  mutable skip : int;  (** forks until the next look *)
  times : times;
}
(** What a worker's time goes to: see [Slice]. *)

and pace = {
  mutable offered : float;  (** when the first outermost fork of a burst was offered *)
  mutable back : float;  (** when the latest of it was taken back *)
  mutable shown : float;  (** when thieves could see something, at first *)
  mutable taken : float;  (** when one of them had begun that *)
  mutable noticed : float;  (** when a region began while another worker slept *)
  mutable period : float;  (** between two such *)
  mutable rung : float;  (** when it was last woken, by who did *)
  mutable delay : float;
      (** from when a job is shown until a thief that is awake has begun it, by the latest ones *)
}
(** In seconds: see [Worth]. *)

and times = {
  mutable began : float;
  mutable length : float;
  mutable looked_at : float;  (** when the worker last looked at the clock *)
  mutable turned : float;  (** when [lets_pass] last changed *)
}
(** In seconds. *)

and interruption = {
  call : unit -> unit;  (** its attention, and its code is interrupted *)
  is_wanted : Interrupter.request;  (** whether that is to be, still *)
  is_near : Interrupter.request;  (** whether its code comes near a limit of memory *)
  mutable latest : strike;
  mutable counted : Account.words;  (** what its domain has allocated, up to where that is counted *)
}
(** How its code is interrupted: see [Section]. *)

and strike = {
  source : Token.t;  (** why: see [Token.source] *)
  count : int;  (** how many there have been for that, one after the other *)
  at : float;  (** when, in seconds *)
}
(** The type for interruptions that have happened: see [Ticker]. *)

and load = {
  mutable file : (int * string) option;  (** where that of the thread of this number is read *)
  mutable time : Processors.time option;  (** at the latest look *)
  mutable seen_looks : int;  (** those of its searches, by then *)
  mutable look : float;  (** how long one of these takes, in seconds *)
}
(** Its processor time: see [Crowd]. The worker that looks at those of all writes them; and may see
    what was there before. *)

and loop = {
  mutable next : int;
  mutable stop : int;
  mutable until : int;
  mutable is_long : bool;  (** a thief waited long for the end of an iteration *)
  mutable parts : parts;  (** that were given away, the first behind [stop] *)
  mutable offer : Job.t; [@atomic]  (** the first of them; or one that was begun, or [Job.none] *)
  mutable lock : lock; [@atomic]
  grain : int;  (** iterations in a part, at least *)
  left : int Atomic.t;  (** runs and parts of the call that have not ended, offers apart *)
  body : was_offer:bool -> int -> int -> unit;  (** what the job of a part does *)
}
(** The type for loops in progress: the iterations [next .. stop - 1] are left. The loop does them
    while they are below [until], which is [stop] or less; then it looks what there is to do. See
    [Open_loops] and [Run], which write these fields; thieves write [until] and [is_long]. *)

and team = {
  name : string;
  mask : int list;  (** the signals that the program had blocked where it made the pool *)
  mutable members : t array;
  inbox : Job.t Inbox.t;
  urgent_inbox : Job.t Inbox.t;  (** goes before all other work *)
  batches : int Atomic.t;  (** that have been launched and have not ended *)
  sleepers : Sleepers.t;
  help : help;
  searching : int Atomic.t;  (** workers that look for work, or were just woken to *)
  submitted : int Atomic.t;  (** tasks started from outside *)
  lookout : bool Atomic.t;  (** one of its workers is: see [Scheduler] *)
  next_demand : int Atomic.t;  (** when a thief may demand again, in microseconds: see [Search] *)
  present : int Atomic.t;  (** how many of them are taken *)
  phase : phase Atomic.t;
  stopped : unit Ivar.t;  (** filled with the step to Stopped *)
  minor_heap_words : int option;  (** of each worker's domain; else it adapts *)
  mutable heap_words : int;
      (** the largest minor heap that one has grown to; a write that is lost is made up for by the
          next *)
  mutable record_backtraces : bool;  (** as those who submit tasks do *)
  domains : unit Domain.t list Atomic.t;  (** its own *)
  callers : Parker.t list Atomic.t;  (** that wait to be lent to a pool of one: see [Domains] *)
  is_looked_after : bool Atomic.t;  (** by the timer: see [Domains] *)
  unseen : Failure.log;
  adaptive : bool;  (** follows the load of the machine *)
  mutable active : int;  (** how many should work *)
  crowding : crowding;
}
(** The type for what the workers of a pool share. *)

and help = {
  mutable cost : float;  (** what a wake-up costs the waker *)
  mutable latency : float;  (** until the sleeper runs *)
}
(** In seconds, by the latest ones. Any worker writes them; what is lost is no harm. *)

and crowding = {
  mutable crowd : crowd;
  mutable observed_at : float;  (** when the load was last looked at *)
  is_observed : bool Atomic.t;  (** now, by one of the workers *)
}
(** How a pool follows the load: see [Crowd]. *)
