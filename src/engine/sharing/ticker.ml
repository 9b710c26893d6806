(* Ticker.

   A finaliser on a young block that nobody refers to runs after the next minor collection, on a
   thread of its domain and between any two steps of a task. It makes the next such block, as
   long as the domain has a worker. *)

open Worker

(* The time of a tick, what has passed between two on average, what the collections that came fast have
   cost since the heap grew, and what part of it has survived, on average. A single long wait changes
   little: beside a busy process there are many, and then larger heaps help most. *)
type pace = {
  now : float;
  between : float;
  spent : float;
  words : float; (* allocated by this domain *)
  promoted : float; (* of these *)
  survival : float; (* nan before the first collection *)
}

(* Over some [n] values. Survival needs many, as little of what an idle worker has allocated does. *)
let average n before now = if Float.is_nan before then now else before +. ((now -. before) /. n)

(* [late] is what a collection waits for domains that are not run, in seconds. The heap grows up to [most] words. *)
let pace_after last ~most ~late =
  let now = Unix.gettimeofday () and enough = Minor_heap.enough ~late in
  let passed = Float.min (now -. last.now) (4. *. enough) in
  let between = average 4. last.between passed in
  let words, promoted, _ = Gc.counters () in
  let allocated = words -. last.words in
  (* Collections that others forced say nothing about how fast this domain allocates. *)
  let is_own = allocated > float (Minor_heap.size ()) /. 2. in
  let survival =
    if is_own then average 16. last.survival ((promoted -. last.promoted) /. allocated)
    else last.survival
  in
  let spent =
    if is_own && between < enough then last.spent +. Minor_heap.cost_of_collection ~survival +. late
    else last.spent
  in
  let has_grown = is_own && Minor_heap.adapt ~most ~spent ~late ~survival in
  { now; between; spent = (if has_grown then 0. else spent); words; promoted; survival }

(* The domains that have such a block, by index; each by its number, as indices are used again. *)
let ticking = Array.make Worker.most (-1)

(* The ticks of a domain: each makes the next one before it does anything that a callback may
   interrupt. What interrupts that may have made one already: so only the latest counts. *)
type ticks = { domain : int; mutable latest : int; mutable pace : pace }

(* Who attaches to a program that runs reads in the rings what was told last. But collections write into the rings of all
   domains, also of those that are parked: so what a worker has told before is soon overwritten. Therefore the first to
   tick in a second tells for all where they stand, if events are written at all; nobody wakes up for that. The fields of
   others are plain: a guess. *)

let next_told = Atomic.make 0

let tell_of_all now =
  let tell ring (w : Worker.t) =
    let standing = if w.in_job then Events.In_task else if w.announced then Parked else Neither in
    Events.tell_standing ~ring ~worker:w.id standing
  in
  if Shared.has_turn next_told ~pause:1_000_000 now then Worker.iter tell

let look_around w ticks =
  Fork_stack.clear w;
  (* The thief that asked may sleep by now. *)
  if Fork_stack.answer w then Team.notify w.team;
  if w.late then begin
    w.late <- false;
    if w.context != Context.none then !Hooks.installed.late w
  end;
  Poller.look ();
  if Team.has_waiting w || Slice.is_called w then Worker.alert w;
  Crowd.look w;
  let team = w.team in
  (* A worker alone in the program has nobody to stop. *)
  let adapts =
    Option.is_none team.minor_heap_words
    && (Array.length team.members > 1 || not (Domain.is_main_domain ()))
  in
  let most = if adapts then Minor_heap.most ~domains:(Array.length team.members) else 0 in
  ticks.pace <- pace_after ticks.pace ~most ~late:(Crowd.late_collection team);
  if Option.is_some (Runtime_events.path ()) then tell_of_all ticks.pace.now;
  if adapts then begin
    (* Workers that allocate as fast as the others did before, or come later, have what those have. *)
    Minor_heap.at_least team.heap_words;
    team.heap_words <- Int.max team.heap_words (Minor_heap.size ())
  end

let look_at_account (w : Worker.t) =
  let account = w.context.account in
  Account.check account;
  if Account.is_near account then Interrupter.ensure w.interruption.is_near

(* Raises if the user's code, which [w] runs, is to be interrupted.

   1. Code that is struck gets some time to clean up before it is struck again.
   2. If that goes on it bears all exceptions, and must be struck outside of its handlers. So it is struck at
      each safepoint: a tick leaves many finalisers that strike, and the one that raises makes a block so
      large that OCaml comes by at the next safepoint, and runs the next finaliser.

   A worker knows this of the task that it struck last, and why: when the task leaves the scope that was
   cancelled, nothing of it is left. *)

let time_to_clean_up = 0.02 (* seconds *)
let is_obstinate count = count >= 5

let interrupt w =
  if is_to_be_interrupted w then begin
    let source = Token.source w.context.token and latest = w.interruption.latest in
    let count = if latest.source == source then latest.count else 0 and now = System.now () in
    if count = 0 || is_obstinate count || now -. latest.at > time_to_clean_up then begin
      w.interruption.latest <- { source; count = count + 1; at = now };
      (* Nothing is allocated after it. *)
      let exn = Token.Cancelled (Token.reason w.context.token) in
      if is_obstinate count then
        ignore (Sys.opaque_identity (Bytes.create (8 * Minor_heap.size ())));
      raise exn
    end
  end

let strikes_at_once = 32

let strike_often w =
  let strike () = if w == here () && not w.in_section then interrupt w in
  for _ = 1 to strikes_at_once do
    Gc.finalise_last strike (ref ())
  done

(* What others wait for is not begun where there is no room for it. *)
let come_by w ticks =
  if Section.has_room () then look_around w ticks;
  if is_to_be_interrupted w && is_obstinate w.interruption.latest.count then strike_often w;
  (* Others that look at the heap need to know. *)
  if has_account w then count_words w;
  if not w.in_section then begin
    if has_account w then look_at_account w;
    interrupt w
  end

(* A finaliser of a domain that has ended runs on another. Until the next tick is there, no function is called,
   which would ask for room on the stack: what fills that may be just there. *)
let rec tick ticks n =
  if n = ticks.latest && ticks.domain = (Domain.self () :> int) then begin
    let w = Worker.of_domain () in
    if w == Worker.nobody then Array.unsafe_set ticking (Domain.self_index ()) (-1)
    else begin
      (try
         let next = n + 1 in
         ticks.latest <- next;
         Gc.finalise_last (fun () -> tick ticks next) (ref ())
       with exn -> Failure.raise_after go_on_in_any_case ticks exn (* by a signal's handler *));
      if w == here () then come_by w ticks
    end
  end

and go_on ticks =
  let next = ticks.latest + 1 in
  ticks.latest <- next;
  Gc.finalise_last (fun () -> tick ticks next) (ref ())

and go_on_in_any_case ticks = Shared.insist go_on ticks

let first_pace () =
  let now = Unix.gettimeofday () in
  let words, promoted, _ = Gc.counters () in
  { now; between = 0.; spent = 0.; words; promoted; survival = nan }

(* For the first task of a worker that has come: one that gets none pays nothing, in particular not
   the table of finalisers that OCaml keeps for each domain and does not free. *)
let start w =
  Minor_heap.at_least (Option.value w.team.minor_heap_words ~default:w.team.heap_words);
  let domain = (Domain.self () :> int) in
  if ticking.(Domain.self_index ()) <> domain then begin
    let ticks = { domain; latest = 0; pace = first_pace () } in
    ticking.(Domain.self_index ()) <- domain;
    go_on_in_any_case ticks
  end;
  w.ticks <- true

let accompany () =
  let pace = ref (first_pace ()) in
  let come_by () = pace := pace_after !pace ~most:(Minor_heap.most ~domains:1) ~late:0. in
  let rec go_on () =
    Gc.finalise_last go_on (ref ());
    come_by ()
  in
  Gc.finalise_last go_on (ref ())
