(* World: what a simulated machine consists of, and the state of the run.

   All times are in nanoseconds since the run began; [never] is none. *)

let never = max_int

type status =
  | Runs (* on its processor *)
  | Spins (* on its processor, until a collection is over *)
  | Queued (* it could run, and others do *)
  | Blocked
  | Ended

(* What a thread's time went to. *)
type account = {
  mutable busy : int; (* the user's work *)
  mutable stalled : int; (* in accesses to lines that others had *)
  mutable spun : int; (* in [cpu_relax] *)
  mutable collected : int; (* in collections, or waiting for them *)
  mutable queued : int;
  mutable blocked : int;
}

(* A cache line: who had it last. [owner] has modified it, or is -1; the others have read it. *)
type line = {
  mutable epoch : int; (* of the run that it was last used in *)
  mutable owner : int;
  mutable readers0 : int;
  mutable readers1 : int;
  mutable readers2 : int;
  mutable free_at : int;
}

type binding = Binding : 'a Type.Id.t * 'a -> binding

type thread = {
  number : int; (* 0 is the main thread, and below are neighbours *)
  name : string;
  domain : domain;
  mutable status : status;
  mutable time : int; (* how far it has come *)
  mutable since : int; (* when it got its status *)
  mutable processor : int; (* on which it runs, or ran last *)
  mutable resume : unit -> unit;
  mutable runtime : int; (* on processors, as the system's scheduler counts it *)
  mutable ran : int;
  mutable is_busy : bool; (* in user's code, which can be cut at any time *)
  mutable rest : int; (* of what was cut *)
  mutable drained : int; (* when its plain writes have left the processor *)
  stores : store Queue.t; (* plain writes that others do not see yet *)
  mutable is_parked : bool; (* Blocked until it is woken *)
  mutable token : bool; (* it was woken, and was not parked *)
  mutable joiners : thread list;
  mutable masked : int; (* functions without safepoints that it is in *)
  mutable tag : int; (* see the engine's This_thread *)
  account : account;
}

and store = { line : line; field : string; write : unit -> unit }

and domain = {
  index : int;
  unique : int;
  mutable storage : binding list;
  mutable holder : thread option; (* the thread that may run OCaml code *)
  lock_queue : thread Queue.t; (* who waits to be that *)
  mutable held_since : int;
  mutable is_asked : bool; (* the holder, for the lock *)
  mutable backup : thread option; (* takes part in collections while no thread runs OCaml code *)
  mutable is_called : bool; (* to the collection that has begun *)
  mutable finalisers : (unit -> unit) list; (* for the next collection *)
  mutable due : (unit -> unit) list; (* to call at the next safepoint *)
  mutable at_exit : (unit -> unit) list;
  mutable minor_heap : int; (* words *)
  mutable young : int; (* words that are used of it *)
  mutable live : int; (* of them, those that outlive the next collection *)
  mutable allocated : float;
  mutable told : float; (* of these, what other domains know *)
  mutable promoted : float;
}

type processor = {
  index : int;
  slowness : float;
  mutable current : thread option;
  queue : thread Queue.t;
  mutable stint : int; (* when the current thread came *)
  mutable slice_end : int;
  mutable idle_since : int;
  mutable balanced : int; (* when it last gave a thread away *)
}

(* What happened at all lines that were made at one place, or hold one field. *)
type site = {
  mutable misses : int;
  mutable stall : int;
  mutable waits : int; (* of [stall], until another had done with the line *)
  mutable failures : int; (* of compare-and-set *)
}

module By_time = Map.Make (struct
  type t = int * int

  let compare (t, i) (t', i') = match Int.compare t t' with 0 -> Int.compare i i' | n -> n
end)

type collection = { mutable missing : int; mutable present : thread list }

type t = {
  model : Model.t;
  seed : int;
  random : Random.State.t;
  processors : processor array;
  mutable me : thread; (* who runs *)
  mutable limit : int; (* how far it may go before others do *)
  mutable horizon : int; (* the same, or -1 if [at_access] is to be called *)
  mutable keeps_stores : bool; (* plain writes may be seen late *)
  mutable is_alone : bool; (* others have no turns *)
  mutable is_throttled : bool; (* see [Quota] *)
  mutable at_signal : (unit -> unit) option; (* where a handler may run, on the main thread *)
  mutable at_access : (thread -> unit) option; (* before each access to what others could see *)
  mutable threads : thread list; (* the latest first *)
  mutable domains : domain list;
  mutable words_before : float; (* allocated by domains that have ended *)
  mutable numbers : int;
  mutable uniques : int;
  mutable events : (int -> unit) By_time.t;
  mutable event_ids : int;
  mutable collection : collection option;
  mutable collections : int;
  mutable collections_asked : int; (* of them, by [Gc.minor] *)
  mutable turns : int;
  mutable accesses : int; (* to lines that others had *)
  mutable steps : int; (* atomic reads and writes *)
  mutable woken : int;
  mutable failure : (exn * Printexc.raw_backtrace) option;
  sites : (string, site) Hashtbl.t;
  counters : (string, int ref) Hashtbl.t; (* by what the rules of the copy count *)
}

let no_account () = { busy = 0; stalled = 0; spun = 0; collected = 0; queued = 0; blocked = 0 }

let create_domain ~index ~unique =
  {
    index;
    unique;
    storage = [];
    holder = None;
    lock_queue = Queue.create ();
    held_since = 0;
    is_asked = false;
    backup = None;
    is_called = false;
    finalisers = [];
    due = [];
    at_exit = [];
    minor_heap = 262_144;
    young = 0;
    live = 0;
    allocated = 0.;
    told = 0.;
    promoted = 0.;
  }

let create_thread ~number ~name ~time domain =
  {
    number;
    name;
    domain;
    status = Blocked;
    time;
    since = time;
    processor = 0;
    resume = ignore;
    runtime = 0;
    ran = 0;
    is_busy = false;
    rest = 0;
    drained = 0;
    stores = Queue.create ();
    is_parked = false;
    token = false;
    joiners = [];
    masked = 0;
    tag = 0;
    account = no_account ();
  }

(* Domains of the system's, which run no OCaml code. *)
let no_domain = create_domain ~index:(-1) ~unique:(-1)

let create ?(seed = 1) (model : Model.t) =
  let random = Random.State.make [| seed |] in
  let processor index =
    {
      index;
      slowness = (if index >= model.processors - model.slow then model.slowness else 1.);
      current = None;
      queue = Queue.create ();
      stint = 0;
      slice_end = 0;
      idle_since = 0;
      balanced = Random.State.int random (1 + model.balance);
    }
  in
  {
    model;
    seed;
    random;
    processors = Array.init model.processors processor;
    me = create_thread ~number:(-1) ~name:"nobody" ~time:0 no_domain;
    limit = never;
    horizon = never;
    keeps_stores = false;
    is_alone = false;
    is_throttled = false;
    at_signal = None;
    at_access = None;
    threads = [];
    domains = [];
    words_before = 0.;
    numbers = 0;
    uniques = 0;
    events = By_time.empty;
    event_ids = 0;
    collection = None;
    collections = 0;
    collections_asked = 0;
    turns = 0;
    accesses = 0;
    steps = 0;
    woken = 0;
    failure = None;
    sites = Hashtbl.create 100;
    counters = Hashtbl.create 10;
  }

(* The run that this process simulates. What the program makes before it begins, such as the atomics of
   its modules, belongs to a world without time. *)
let w = ref (create (Model.server 1))
let[@inline] me () = !w.me

(* What is to be wrong in the copy: see [Mutants]. *)
let mutant = ref ""

(* A function without safepoints begins, or ends. *)

let[@inline] mask () =
  let t = !w.me in
  t.masked <- t.masked + 1

let[@inline] unmask () =
  let t = !w.me in
  t.masked <- t.masked - 1
