(* Worth: what help with a region, an outermost fork or loop, is worth.

   A region may be over before help comes. So owners and thieves note how long those of late took:

   1. To offer a fork and to take it back costs its owner a tenth of a microsecond; and a thief that takes it,
      or a part of a loop, begins it later: by half a microsecond, or by several where the processors are far
      apart or their caches cold, which is measured. A region of which a half takes less is *tiny*. After n tiny
      ones in a row the owner keeps the next 2^n - 1 outermost forks private, which is its *credit*; and a
      thief waits 2^n times as long, up to 32 times, before it asks for a fork or a part.
   2. To wake a sleeper costs its waker W, and the sleeper runs L later: 3 and 10 us, or 30 and 50 where it has
      slept for milliseconds on a virtual processor. Both are measured. A region of which a half is over before
      that is *short*. After a few short ones in a row the owner wakes no sleeper, as long as one of them is
      on the lookout (see [Scheduler]).
   3. Where regions come again within milliseconds, the worker that was woken for one searches for so long
      that it is still awake when the next one comes. So W is paid seldom, and L is not waited for: only
      what is shorter than W is short.
   4. A worker goes on to search as long as that, if what it found at the end of such a search was worth
      it: a job that was stolen and not tiny.

   A long fork that is private, or for which nobody was woken, as short ones came before it, is found by a thief
   that searches, or by the lookout (see [Search.demand]); and a loop looks at the clock now and then (see [Run]).
   Probes: fork-shapes, regions. *)

open Worker

(* Outermost forks with less between them are a burst, as those along the right side of a tree. *)
let gap = 1e-6

(* Looks of a search: see [Search.search]. *)
let shortest_search = 1250
let longest_search = 4e-3 (* seconds *)

let is_short w half =
  let { cost; latency; _ } = w.team.help in
  half < if 2. *. w.pace.period <= longest_search then cost else Float.max cost latency

(* Not where others want the processor. A guess, as other domains write it. *)
let may_search_for_long w =
  let { members; active; crowding; _ } = w.team in
  active >= Array.length members
  && Array.length members <= Processors.available ()
  && crowding.crowd.lately < 0.1

(* Writes only what changes: the record is in the owner's cache. *)
let note_size v ~is_tiny =
  if is_tiny then v.tiny <- Int.min 10 (v.tiny + 1)
  else begin
    if v.tiny > 0 then v.tiny <- 0;
    if v.credit > 0 then v.credit <- 0
  end

let note_length w half = w.short <- (if is_short w half then w.short + 1 else 0)

(* Owners *)

let begin_fork w =
  let now = System.now () in
  w.pace.shown <- now;
  if now -. w.pace.back > gap then begin
    w.pace.offered <- now;
    w.burst <- 0
  end

(* The forks along the right side of a tree become smaller to its end: so the average of a burst counts. *)
let average w now =
  w.pace.back <- now;
  w.burst <- w.burst + 1;
  (now -. w.pace.offered) /. float w.burst

let end_fork w =
  let now = System.now () in
  let half = average w now in
  note_size w ~is_tiny:(half < w.pace.delay);
  note_length w (now -. w.pace.offered)

(* The owner has [worked] on its half while a thief had the other one, and then it has [waited] for that. What is long
   may be of halves that differ. *)
let note_shared w ~worked ~waited = note_size w ~is_tiny:(waited > worked && worked < 2e-5)

let end_stolen_fork w ~since =
  let now = System.now () in
  let worked = average w since in
  w.pace.back <- now;
  note_shared w ~worked ~waited:(now -. since)

let end_loop w seconds =
  let half = seconds /. 2. in
  note_size w ~is_tiny:(half < w.pace.delay);
  note_length w half

let show w = w.pace.shown <- System.now ()

let end_shared_loop w ~since =
  let worked = since -. w.pace.shown in
  if worked > 0. then note_shared w ~worked ~waited:(System.now () -. since)

(* Thieves *)

(* Only a thief that has searched since then tells how long the way is. *)
let begin_stolen thief v now =
  let shown = v.pace.shown in
  if v.pace.taken < shown then begin
    v.pace.taken <- now;
    let passed = now -. shown in
    if passed < float thief.searched *. thief.load.look then
      v.pace.delay <- Worker.follow v.pace.delay passed
  end

(* A thief that writes races with the owner: a guess may be lost. *)
let end_stolen (thief : t) v seconds =
  if v.short > 0 && not (is_short v seconds) then v.short <- 0;
  if thief.searched > shortest_search then
    thief.search_for <-
      (if seconds < v.pace.delay || not (may_search_for_long thief) then shortest_search
       else
         let most = int_of_float (longest_search /. thief.load.look) in
         Int.max thief.search_for (Int.min most (2 * thief.searched)));
  thief.searched <- 0

(* With a full fence before the look: see [Scheduler.park]. *)
let is_on_lookout w =
  Token.fence w.context.token;
  Atomic.get w.team.lookout

(* A few short ones do not tell: the last forks of a tree are outermost, too, along its right side. *)
let few = 5
let needs_lookout v = v.short >= few
let deserves_wake_up w = not (needs_lookout w && is_on_lookout w)

(* Where all others sleep, short ones stay private, too. *)
let credit w ~others_sleep =
  let short = if w.short > few && others_sleep then Int.min 6 (w.short - few) else 0 in
  w.spared <- (1 lsl Int.max w.tiny short) - 1;
  w.spared

let begin_region w now =
  w.pace.period <- (now -. w.pace.noticed) /. float (1 + w.spared);
  w.pace.noticed <- now;
  w.spared <- 0

let search_of_woken w =
  let wanted = 2. *. w.pace.period in
  if wanted <= longest_search && may_search_for_long w then wanted else 0.

let is_long w ~passed =
  let { cost; latency; _ } = w.team.help in
  passed > 3. *. (cost +. latency)
