(* What the tasks of a program share, what they have done with it, and what must hold of it in the
   end.

   Each act on an object has an entry in a ledger, made before: whether it returned, and how often
   it took effect. Where it raised, it may have had its effect or not. *)

module Ordered_map = Drover_batched.Ordered_map
module Hash_table = Drover_batched.Hash_table
module Counter = Drover_batched.Counter

type entry = { id : int; returned : int Atomic.t; effects : int Atomic.t }
type ledger = entry list Atomic.t

(* A lock or permits, and who is inside. *)
type 'a guarded = { guard : 'a; most : int; inside : int Atomic.t; crowded : int Atomic.t }

type t = {
  started : int Atomic.t; (* tasks *)
  ended : int Atomic.t;
  launched : unit Drover.Promise.t list Atomic.t; (* those that may begin when nobody waits *)
  complaints : string list Atomic.t;
  acquired : int Atomic.t; (* by brackets *)
  released : int Atomic.t;
  other : Drover.Pool.t;
  local : int Drover.Local.t;
  locks : Drover.Mutex.t guarded array;
  permits : Drover.Semaphore.t guarded array;
  rwlock : Drover.Rwlock.t;
  readers : unit guarded;
  writers : unit guarded;
  monitor : Drover.Mutex.t;
  changed : Drover.Condition.t;
  mutable tokens : int; (* guarded by the monitor *)
  chans : entry Drover.Chan.t array; (* a rendezvous, a bounded and an unbounded one *)
  sends : ledger;
  recvs : ledger;
  barrier : Drover.Barrier.t;
  batch : entry Drover.Batch.t;
  submits : ledger;
  map : (int, int) Ordered_map.t;
  inserts : ledger;
  table : (int, int) Hash_table.t;
  puts : ledger;
  counter : Counter.t;
  adds : ledger;
}

let capacity = 2 (* of the bounded channel *)

(* One step each: what they tell of has happened, and nothing else. *)

let[@poll error] one_more n = ignore (Atomic.fetch_and_add n 1 : int)

let[@poll error] enter g =
  if Atomic.fetch_and_add g.inside 1 >= g.most then ignore (Atomic.fetch_and_add g.crowded 1 : int)

let[@poll error] leave g = ignore (Atomic.fetch_and_add g.inside (-1) : int)
let guarded most guard = { guard; most; inside = Atomic.make 0; crowded = Atomic.make 0 }

let apply ops =
  Array.iter
    (fun op ->
      ignore (Sys.opaque_identity (ref op.id) : int ref);
      one_more op.effects)
    ops

let create () =
  let ledger () = Atomic.make [] in
  {
    started = Atomic.make 0;
    ended = Atomic.make 0;
    launched = Atomic.make [];
    complaints = Atomic.make [];
    acquired = Atomic.make 0;
    released = Atomic.make 0;
    other = Drover.Pool.create ~name:"other" ~domains:2 ();
    local = Drover.Local.create 0;
    locks = Array.init 3 (fun _ -> guarded 1 (Drover.Mutex.create ()));
    permits = Array.init 2 (fun i -> guarded (1 + i) (Drover.Semaphore.create (1 + i)));
    rwlock = Drover.Rwlock.create ();
    readers = guarded max_int ();
    writers = guarded 1 ();
    monitor = Drover.Mutex.create ();
    changed = Drover.Condition.create ();
    tokens = 0;
    chans = Drover.Chan.[| rendezvous (); bounded capacity; unbounded () |];
    sends = ledger ();
    recvs = ledger ();
    barrier = Drover.Barrier.create 2;
    batch = Drover.Batch.create ~applied:(fun op -> Atomic.get op.effects > 0) apply;
    submits = ledger ();
    map = Ordered_map.create Int.compare;
    inserts = ledger ();
    table = Hash_table.create ~hash:Hashtbl.hash ~equal:Int.equal ();
    puts = ledger ();
    counter = Counter.create 0;
    adds = ledger ();
  }

let rec push cell x =
  let before = Atomic.get cell in
  if not (Atomic.compare_and_set cell before (x :: before)) then push cell x

let complain w text = push w.complaints text

(* A task of its own. If this raises the task does nothing, unless it has begun. *)
let launch w f =
  let is_claimed = Atomic.make false in
  let claim () = Atomic.compare_and_set is_claimed false true in
  match
    let promise = Drover.async (fun () -> if claim () then f ()) in
    push w.launched promise;
    promise
  with
  | promise -> promise
  | exception e ->
      ignore (claim () : bool);
      raise e

let note ledger =
  let rec go () =
    let before = Atomic.get ledger in
    let id = match before with [] -> 0 | { id; _ } :: _ -> id + 1 in
    let entry = { id; returned = Atomic.make 0; effects = Atomic.make 0 } in
    if Atomic.compare_and_set ledger before (entry :: before) then entry else go ()
  in
  go ()

(* [act e], where [e] is a new entry. *)
let noted ledger act =
  let entry = note ledger in
  match act entry with () -> one_more entry.returned | exception e -> raise e

let inside g f =
  match
    enter g;
    f ()
  with
  | () -> leave g
  | exception e ->
      leave g;
      raise e

let lock w i f =
  let g = w.locks.(i) in
  Drover.Mutex.protect g.guard (fun () -> inside g f)

let permit w i f =
  let g = w.permits.(i) in
  Drover.Semaphore.protect g.guard (fun () -> inside g f)

let beside_none g f =
  if Atomic.get g.inside > 0 then one_more g.crowded;
  f ()

let read w f =
  Drover.Rwlock.read w.rwlock (fun () -> beside_none w.writers (fun () -> inside w.readers f))

let write w f =
  Drover.Rwlock.write w.rwlock (fun () -> beside_none w.readers (fun () -> inside w.writers f))

let bracket w =
  Drover.Scope.bracket
    ~acquire:(fun () -> one_more w.acquired)
    ~release:(fun () -> one_more w.released)

(* A signal that does not come. *)
let signal_number = Sys.sigusr2
let handled (_ : int) = ()
let handle_signal () = Sys.set_signal signal_number (Signal_handle handled)

let has_handler () =
  match Sys.signal signal_number (Signal_handle handled) with
  | Signal_handle f -> f == handled
  | Signal_default | Signal_ignore -> false

let until_signal f = Drover.Scope.run_until_signal ~signals:[ signal_number ] (fun _ -> f ())

let wait_for w =
  Drover.Mutex.protect w.monitor (fun () ->
      while w.tokens = 0 do
        Drover.Condition.wait w.changed w.monitor
      done;
      w.tokens <- w.tokens - 1)

let signal w =
  Drover.Mutex.protect w.monitor (fun () ->
      w.tokens <- w.tokens + 1;
      Drover.Condition.signal w.changed)

let send w i = noted w.sends (Drover.Chan.send w.chans.(i))

(* Whether what cancels may interrupt. *)
let interrupts = Atomic.make false

(* A cancelled receive has received nothing, unless it was interrupted. *)
let cancelled entry = if not (Atomic.get interrupts) then one_more entry.returned

let receiving w receive =
  let entry = note w.recvs in
  match receive () with
  | message ->
      one_more message.effects;
      one_more entry.returned
  | exception ((Drover.Cancelled _ | Drover.Scope.Timeout) as e) ->
      cancelled entry;
      raise e

let recv w i = receiving w (fun () -> Drover.Chan.recv w.chans.(i))

let select w =
  let own = note w.sends and entry = note w.recvs in
  let open Drover.Chan in
  let got message = one_more message.effects in
  match
    select
      [
        receiving w.chans.(0) got;
        sending w.chans.(1) own (fun () -> one_more own.returned);
        receiving w.chans.(2) got;
      ]
  with
  | () -> one_more entry.returned
  | exception ((Drover.Cancelled _ | Drover.Scope.Timeout) as e) ->
      cancelled entry;
      raise e

let meet w = Drover.Barrier.wait w.barrier
let submit w = noted w.submits (Drover.Batch.submit w.batch)
let insert w = noted w.inserts (fun e -> Ordered_map.insert w.map e.id e.id)
let put w = noted w.puts (fun e -> Hash_table.insert w.table e.id e.id)
let add w = noted w.adds (fun _ -> Counter.incr w.counter)
