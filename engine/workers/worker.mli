(** Workers: threads' places in pools, and how code finds out which worker runs it.

    A worker is a thread, not a domain: other systhreads of its domain find no worker. A domain has
    one worker at most, because workers of one domain would only take turns.

    The functions on a worker are for its own thread, unless they say otherwise; and nothing waits.
*)

type t = {
  mutable stack : Job.t array;
  mutable sp : int;  (** the forks are stack.(0 .. sp - 1) *)
  mutable limit : int;
  mutable base : int;  (** the forks below are not Private *)
  mutable thread : int;  (** whose place this is now, by its number, or [no_thread] *)
  mutable in_hand : bool;  (** the code of [hand] has not begun *)
  mutable in_job : bool;  (** which has begun and not ended *)
  mutable busy : bool;  (** see [undisturbed] *)
  mutable ticks : bool;  (** see [Ticker] *)
  mutable announced : bool;  (** as a sleeper *)
  mutable searches : bool;  (** it counts in [team.searching] *)
  mutable loops : loop list;  (** that its task is in, innermost first *)
  mutable chain : Chain.t;  (** on its stack *)
  mutable crowds : bool;  (** waits for a batch, with more others than one batch takes *)
  mutable backtraces : bool;  (** whether its domain records them *)
  mutable turns : int;  (** of the worker's loop, and tasks that began on top of another *)
  mutable depth : int;  (** how many lie beneath the task that it runs *)
  mutable wait : int;  (** the number of the latest wait of its tasks; see [Events] *)
  mutable started : int;  (** tasks that it started, and that ended on it *)
  mutable ended : int;
  mutable points : int;  (** scheduling points that its tasks have passed; not each is counted *)
  mutable woke : float;  (** when it last woke another for a loop, in seconds *)
  mutable seed : int;
  mutable domain : domain;
  mutable hand : Job.t;  (** the last that it has claimed *)
  mutable moving : Job.t list;  (** from an inbox to a deque *)
  mutable deque : Job.t Deque.t;  (** [urgent] while it runs a part of a batch, else [core] *)
  mutable context : Context.t;  (** of the code that it runs *)
  mutable forked_in : Context.t;  (** in which its Private forks were made *)
  mutable unmasked : bool;  (** what it runs may be interrupted at any safepoint *)
  mutable counted : int;
      (** the words that its domain has allocated, up to where they are counted *)
  pad1 : unit;
  pad2 : unit;
  pad3 : unit;
  pad4 : unit;
  pad5 : unit;
  pad6 : unit;
  pad7 : unit;
  pad8 : unit;
  id : int;  (** its index in [team.members] *)
  is_taken : bool Atomic.t;  (** some thread is it, or comes to be; see [Domains] *)
  team : team;
  mutable this : t option;  (** itself *)
  core : Job.t Deque.t;
  urgent : Job.t Deque.t;
  parker : Parker.t;
  mutable spare : bool;  (** it has stood by, and was not wanted *)
  mutable late : bool;  (** see [Watch] *)
  mutable attention : unit -> unit;  (** makes its next fork or iteration look around *)
  mutable interrupter : unit -> unit;  (** the same, and has its code interrupted *)
  mutable is_wanted : Interrupter.request;  (** whether that is to be, still *)
  mutable is_near : Interrupter.request;  (** whether its code comes near a limit of memory *)
  mutable interrupted_at : float;  (** when it last was, in seconds *)
  mutable place : (int * string) option;
      (** where the time of the thread of this number is read; see [Crowding] *)
  mutable time : Processor_time.t option;  (** at the latest look *)
  mutable spun : float;  (** seconds that it searched, since then *)
  reported : int Atomic.t;  (** [ended] when it last looked for others' work *)
}
(** The type for workers. Other rooms than this one read the fields, and write none. *)

and loop = {
  mutable next : int;
  mutable stop : int;
  mutable until : int;
  mutable has_moved : bool;  (** [next] is not what its worker believes, which looks at [until] *)
  mutable is_long : bool;  (** a thief waited long for the end of an iteration *)
  mutable give : t -> portion -> bool;
}
(** The type for loops in progress, as the scheduler sees them: the iterations [next .. stop - 1]
    are left. The loop does them while they are below [until], which is [stop] or less; then it
    looks what there is to do. [give w what] is [false] if there is nothing that [w] may give: the
    loop's worker, and for a half any thief of its pool while the loop is open (see [Rest]). *)

(** What to give: a job, for the deque of [w], for all that is left or for a half of it; for all,
    because the task leaves [w]; or the next iteration, which [w] begins here and now (see [Ahead]).
*)
and portion = All | Half | Leaving | Next

and team = {
  name : string;
  mask : int list;  (** the signals that the program had blocked where it made the pool *)
  mutable members : t array;
  inbox : Job.t Inbox.t;
  urgent_inbox : Job.t Inbox.t;  (** goes before all other work *)
  later : Job.t Inbox.t;  (** for workers that have nothing else *)
  batches : int Atomic.t;  (** that have been launched and have not ended *)
  sleepers : Sleepers.t;
  searching : int Atomic.t;  (** workers that look for work, or were just woken to *)
  submitted : int Atomic.t;  (** tasks started from outside *)
  phase : phase Atomic.t;
  stopped : unit Ivar.t;  (** filled with the step to Stopped *)
  minor_heap_words : int option;  (** of each worker's domain; else it adapts *)
  mutable record_backtraces : bool;  (** as those who submit tasks do *)
  domains : unit Domain.t list Atomic.t;  (** its own *)
  away : int Atomic.t;  (** workers without a thread, the first apart *)
  watching : bool Atomic.t;  (** a timer is set that looks after these *)
  mutable seen : int;  (** points that its tasks had passed when that looked last *)
  mutable period : float;  (** after which it looks again, in seconds *)
  mutable heap_words : int;  (** the largest minor heap that one has grown to *)
  unseen : Failure.log;
  adaptive : bool;  (** follows the load of the machine; see [Crowding] *)
  mutable active : int;  (** how many should work; [max_int] for all *)
  mutable crowd : Crowd.t;
  mutable observed_at : float;  (** when the load was last looked at *)
  mutable collections : int;  (** by then *)
  observing : bool Atomic.t;
}
(** The type for what the workers of a pool share. *)

(** Open --close--> Closing --no task is left--> Stopped *)
and phase = Open | Closing | Stopped

and domain
(** The identity of a domain, at the cost of a load. *)

external domain : unit -> domain = "%dls_get"
(** [domain ()] is that of the caller. *)

(** {1 Which worker is this?} *)

val of_domain : unit -> t
(** [of_domain ()] is the worker of the calling thread's domain, or {!nobody}: for code that only a
    worker's own thread runs, and for what looks at the thread itself. *)

val is_mine : t -> bool
(** [is_mine w] is whether the calling thread is [w]. *)

val here : unit -> t
(** [here ()] is the worker that the calling thread is, or {!nobody}. *)

val mine : unit -> t option
(** [mine ()] is the same, if it runs a task, of which the caller is part. *)

val nobody : t
(** [nobody] stands for the absence of a worker. Its limit stays 0, so that every fork outside a
    pool takes the slow path. *)

val is_still : t -> bool
(** [is_still w] is whether [w], found by [here] before, is still the worker of this domain: the
    caller's frame has not moved; or seldom [false] where it has not. *)

val recognise : t -> unit
(** [recognise w]: the caller is [w] after all. *)

val table : t array
(** [table] is the workers by the index of their domain. *)

(** {1 Their lives} *)

val no_thread : int
(** [no_thread] is the number of no thread. *)

val create_team :
  name:string -> mask:int list -> adaptive:bool -> minor_heap_words:int option -> team
(** [create_team ~name ~mask ~adaptive ~minor_heap_words] has no members yet. *)

val create : team -> int -> t
(** [create team id] is a worker that no thread is. *)

val most : int
(** [most] is more workers than any runtime allows domains. *)

val enter : t -> bool
(** [enter w] makes the calling thread [w]; [false] if its domain has a worker already. *)

val leave : t -> unit
(** [leave w] ends that. *)

(** {1 What it has claimed} *)

val pick_up : t -> Job.t -> unit
(** [pick_up w job] takes [job] in hand. To be part of the step that claims it. *)

val empty_hand : t -> unit
(** [empty_hand w]: the code of that has begun. *)

val drop_hand : t -> unit
(** [drop_hand w]: it is for another to run. *)

(** {1 What its tasks come to} *)

val count_start : t -> unit
(** [count_start w]: its task has started one, and puts it where it is found. *)

val retract_start : t -> unit
(** [retract_start w]: it did not, after all. *)

val count_end : t -> unit
(** [count_end w]: a task has ended on [w]. *)

val next_wait : t -> int
(** [next_wait w] is the number of a wait that begins. *)

val pass_point : t -> unit
(** [pass_point w]: its task has passed a scheduling point. *)

val is_last_turn : t -> bool
(** [is_last_turn w] is whether the next turn of its loop looks after what would wait for ever. *)

val join_crowd : t -> unit
(** [join_crowd w]: it waits for a batch, with more others than one batch takes. *)

val set_late : t -> bool -> unit
(** [set_late w is_late] has [w] say where it is, at the next minor collection, or not. Any thread.
*)

val undisturbed : t -> (unit -> 'a) -> 'a
(** [undisturbed w f] is [f ()], which changes what [w] offers: keeps the ticker away. *)

val deque_for : t -> urgent:bool -> Job.t Deque.t
(** [deque_for w ~urgent] is where its tasks of that kind go. *)

(** {1 On top of others} *)

val begin_on_top : t -> unit
(** [begin_on_top w]: it begins a task on top of the one that it runs. *)

val set_depth : t -> int -> unit
(** [set_depth w depth]: so many lie beneath the one that it runs. *)

val set_chain : t -> Chain.t -> unit
(** [set_chain w chain]: these iterations wait on its stack. *)

(** {1 Loops} *)

val create_loop : int -> int -> loop
(** [create_loop next stop] gives nothing yet. *)

val no_loop : loop
(** [no_loop] stands for the absence of a loop. *)

val enter_loop : t -> loop -> unit
(** [enter_loop w loop]: its task begins [loop], inside of those that it is in. *)

val leave_loop : t -> loop -> unit
(** [leave_loop w loop]: the loop has ended, if it is the innermost. *)

val may_wake : t -> float -> bool
(** [may_wake w now] is whether [w] may wake another for a loop, which it does seldom. *)

val asked : int
(** [asked] is below every iteration: stands in [until] of a loop that was asked for a part. It is a
    plain field: a request that is lost is repeated, as that of a fork's worker. *)

val moved : int
(** [moved], likewise, is for one that has moved, and was not asked. *)

val ask_loop : loop -> unit
(** [ask_loop loop] asks for a part of it. Any thread. *)

val ask_loops : t -> unit
(** [ask_loops w] asks for parts of all of them. Any thread. *)

(** {1 Contexts} *)

val adopt : t -> Context.t -> unit
(** [adopt w context]: [w] runs code of this context from now on, a task's. *)

val forget_context : t -> unit
(** [forget_context w]: it is between two tasks. *)

val turn_to : t -> Context.t -> unit
(** [turn_to w context] is [adopt] in the middle of a task: what it has begun looks for a cause to
    stop. *)

val run_in : t -> Context.t -> unit
(** [run_in w context] is the same where the fiber of [context] knows [w], or is never cancelled. *)

val come_back : t -> Context.t -> unit
(** [come_back w before] ends what [run_in] began, where the caller is still [w] or not. *)

val apart : t -> Context.t -> ('a -> unit) -> 'a -> unit
(** [apart w context f x] is [f x], in a context whose fiber is never cancelled. What [f] has
    locked, and not unlocked, is the caller's then. *)

(** {1 Interruption}

    The code of a context that is [interruptible] gets the exception of a cancellation at its next
    safepoint, only while the worker is {e unmasked}: from the first step of a task's or a fork's
    own code, inside of what catches its exceptions, to its last one, and not while it is suspended
    or lies beneath another. *)

val unmask : t -> unit
(** [unmask w]: its user's code goes on, or begins. *)

val mask : t -> unit
(** [mask w]: it pauses, or has ended. *)

val unmask_again : unit -> unit
(** [unmask_again ()] is [unmask] where code may have come from another worker. *)

val mask_here : unit -> unit
(** [mask_here ()] is [mask], likewise. *)

val mask_in_handler : unit -> unit
(** [mask_in_handler ()] is the same in a handler: a callback that raises meanwhile does not get
    away with the exception. *)

val attention_in : t -> Context.t -> unit -> unit
(** [attention_in w context] is the attention of a fiber of [context] that [w] runs. *)

val is_to_be_interrupted : t -> bool
(** [is_to_be_interrupted w] is whether its code gets that at its next safepoint. Any thread. *)

val interrupt : t -> unit
(** [interrupt w], by the finaliser of [Ticker], raises if its code is to be interrupted. *)
