(* Blocking: a pool of at most [most] threads. They live on a domain of their own, which ends with
   the last of them; where there is no room for that, on the first caller's.

   1. The caller adds its call to the queue. If no thread is there it makes the domain, whose own thread
      is the first; else it wakes one that is idle, unless one looks for a call by itself: the first
      caller that sees this leaves its call to that one.
   2. A thread takes a call. Only the threads can make others of their domain: so if none is idle then,
      it makes one first, unless they are [most]. Busy threads look for calls when they come back.
   3. A thread that has been idle for [patience] ends, unless all others are busy.

   To wake a thread takes longer than a short call. So where a thread comes back from one, and all others
   are idle, it looks for the next call itself for a while. Its caller likewise spins for a while before it
   is suspended. Probe: wake, a call in blocking.

   The queue and the numbers change with the mutex. A caller allocates nothing meanwhile, so the handler
   of a signal does not find its own thread with the mutex, and cannot raise there. The caller, the timer
   and [is_busy] look at the numbers without it: the caller makes sure with it, and the others look again. *)

type call = { run : unit -> unit; (* raises nothing *) mutable next : call }

let rec nil = { run = ignore; next = nil }
let most = 64
let patience = 1. (* seconds *)
let mutex = Stdlib.Mutex.create ()
let wake_up = Stdlib.Condition.create ()
let first = ref nil
let last = ref nil
let threads = ref 0
let idle = ref 0

(* Seconds: what a short call takes at most; for how long its thread then looks for another, and for how
   long a caller whom it sees spins. *)
let short = 5e-5
let look_for = 2e-5
let spin_for = 1e-5

(* Where processors are busy, the next call does not come in time: after [most_vain] looks in vain, the next
   [left_out] ones are left out. *)
let most_vain = 3
let left_out = 15

(* With the mutex: whether a thread looks for a call, how many looks were in vain since one was not, and how
   many are still to be left out. *)
let looks = ref false
let vain = ref 0
let to_leave_out = ref 0
let is_busy () = !threads > !idle

(* With the mutex: [nil] if there is no call. *)
let take () =
  let call = !first in
  first := call.next;
  call

let rec run_all () =
  let call = Stdlib.Mutex.protect mutex take in
  if call != nil then begin
    call.run ();
    run_all ()
  end

(* The threads *)

let end_thread () = Stdlib.Mutex.protect mutex (fun () -> decr threads)

(* With the mutex: a call to run, or [nil] if the thread, which was idle [since] then, is to end. *)
let rec await_call ~since =
  let may_end = !threads = 1 || !idle > 0 in
  if !first != nil || (may_end && System.now () -. since >= patience) then take ()
  else begin
    incr idle;
    Stdlib.Condition.wait wake_up mutex;
    decr idle;
    await_call ~since
  end

let rec spin_until is_over ~until =
  if not (is_over () || System.now () >= until) then begin
    Domain.cpu_relax ();
    spin_until is_over ~until
  end

(* With the mutex, which it gives back meanwhile. *)
let look ~since =
  if !to_leave_out > 0 then decr to_leave_out
  else if !first == nil && !threads = !idle + 1 then begin
    incr idle;
    looks := true;
    Stdlib.Mutex.unlock mutex;
    spin_until (fun () -> !first != nil) ~until:(since +. look_for);
    Stdlib.Mutex.lock mutex;
    looks := false;
    decr idle;
    vain := if !first == nil then !vain + 1 else 0;
    if !vain >= most_vain then to_leave_out := left_out
  end

let rec live_on ~was_short =
  let since = System.now () in
  Stdlib.Mutex.lock mutex;
  if was_short then look ~since;
  let call = await_call ~since in
  let makes_another = call != nil && !idle = 0 && !threads < most in
  if makes_another then incr threads;
  if call == nil then decr threads;
  Stdlib.Mutex.unlock mutex;
  if makes_another && not (Signals.spawn_thread live) then end_thread ();
  if call != nil then begin
    let began = System.now () in
    call.run ();
    live_on ~was_short:(System.now () -. began < short)
  end

and live () = live_on ~was_short:false

(* Has idle threads look at the clock: not all, as the mutex is not for a timer, but those that it
   misses see the next tick. *)

let is_ticking = Atomic.make false

let rec start_to_tick () =
  let tick () =
    Stdlib.Condition.broadcast wake_up;
    Atomic.set is_ticking false;
    start_to_tick ()
  in
  let set () = ignore (Poller.after patience tick : Timers.t) in
  if !threads > 0 && Atomic.compare_and_set is_ticking false true then Shared.insist set ()

(* Makes the first thread, if there is none. Without room for it the caller runs the calls. *)
let ensure_thread () =
  let join () =
    let is_first = !threads = 0 in
    if is_first then incr threads;
    is_first
  in
  if Stdlib.Mutex.protect mutex join && not (Signals.spawn_domain live || Signals.spawn_thread live)
  then begin
    end_thread ();
    run_all ()
  end

let see_to_threads is_seen =
  if !threads = 0 then Signals.with_all_blocked ensure_thread;
  if not is_seen then Stdlib.Condition.signal wake_up;
  start_to_tick ()

(* Whether a thread that looks for a call takes this one, most probably. *)
let start call ~has_begun =
  let is_seen =
    Stdlib.Mutex.protect mutex (fun () ->
        if !first == nil then first := call else !last.next <- call;
        last := call;
        has_begun := true;
        let is_seen = !looks in
        looks := false;
        is_seen)
  in
  Shared.insist see_to_threads is_seen;
  is_seen

(* [Format] keeps what is printed for each domain apart, until it is flushed or the domain ends. That of
   the calls may not end before the program does. *)
let flush_format () =
  let flush formatter = try Format.pp_print_flush formatter () with _ -> () in
  flush (Format.get_std_formatter ());
  flush (Format.get_err_formatter ())

(* The call has the signal mask of the program, which what it starts inherits. *)
let run_aside f =
  let w = Worker.here () and outcome = Ivar.create () in
  let mask = Signals.program_mask () and backtraces = w.team.record_backtraces in
  let with_mask () =
    if Printexc.backtrace_status () <> backtraces then Printexc.record_backtrace backtraces;
    Signals.with_mask_from_all mask f
  in
  let run () =
    let result = Failure.catch with_mask in
    flush_format ();
    ignore (Ivar.fill outcome result : bool)
  in
  let call = { run; next = nil } and has_begun = ref false in
  let has_ended () = Ivar.is_full outcome in
  let start () =
    if start call ~has_begun then spin_until has_ended ~until:(System.now () +. spin_for);
    not (has_ended ())
  in
  let cancel = !Hooks.installed.call has_ended in
  Wait.from_start_to_end "waits for a call of blocking" ~has_begun start (Ivar.on_fill outcome)
    ~cancel;
  Failure.get (Ivar.get outcome)

let blocking f =
  match Worker.mine () with
  | None -> f ()
  | Some w ->
      Point.pass_on w;
      Section.run run_aside f
