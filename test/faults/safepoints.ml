(* Faults at chosen safepoints of the main thread, also those that do not allocate.

   A signal that its own handler sends anew is handled at the next safepoint, and so on: so the
   handler counts, and acts at the one that is wanted, and perhaps once more soon after. Where it
   comes again and again in one place, as in a blocking call, which would never begin, it waits for
   the timer. *)

let is_main_thread () = Domain.is_main_domain () && Thread.id (Thread.self ()) = 0
let again () = Unix.kill (Unix.getpid ()) Sys.sigalrm

(* What is to happen: safepoints to go until the next fault, and what is between two. *)
let act = ref ignore
let left = ref 0
let faults_left = ref 0
let gap = ref 0
let has_happened = ref false

(* How often the handler ran in a row while nothing was allocated but by itself. *)
let most_in_one_place = 30
let in_one_place = ref 0
let words = ref 0.
let own_words = ref infinity

let look_where () =
  let now = Gc.minor_words () in
  let allocated = now -. !words in
  words := now;
  own_words := Float.min !own_words allocated;
  in_one_place := if allocated <= !own_words then !in_one_place + 1 else 0

let at_safepoint _ =
  if Atomic.get Fault.armed && !faults_left > 0 && is_main_thread () then begin
    look_where ();
    decr left;
    let is_due = !left = 0 in
    if is_due then begin
      has_happened := true;
      decr faults_left;
      left := !gap
    end;
    if !in_one_place < most_in_one_place then again () else in_one_place := 0;
    if is_due then !act ()
  end

let every seconds =
  ignore
    (Unix.setitimer ITIMER_REAL { it_interval = seconds; it_value = seconds }
      : Unix.interval_timer_status)

let install () = Sys.set_signal Sys.sigalrm (Signal_handle at_safepoint)

(* [action] at the safepoint [point] from now on, and at the [gap]-th after that, [times] in all. *)
let arm action ~point ~times ~gap:between =
  act := action;
  left := point;
  faults_left := times;
  gap := between;
  has_happened := false;
  in_one_place := 0;
  Atomic.set Fault.armed true;
  every 300e-6;
  again ()

let disarm () =
  Fault.disarm ();
  every 0.
