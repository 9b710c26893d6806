(* Search: where a worker finds its next job. *)

open Worker

(* Takes the newest job of its own, then what came from outside, then the oldest job of another
   worker: first among the parts of batches, then among the others.

   To take a job is to claim it and to have it in one's hand, in one step: so whatever a callback
   raises, in the scheduler's code or before the job's own code has begun, no claimed job is lost (see
   [Scheduler.clear_away]). Each of the following is [true] if there is a job in the worker's hand. *)

type look = Got | Nothing | Lost (* the job was claimed before *)

let[@inline] take w (Job.Job job as j) =
  if j == Job.none then Nothing
  else if Job.claim job then begin
    Worker.pick_up w j;
    Got
  end
  else Lost

let[@poll error] take_newest w deque = take w (Deque.pop deque)
let[@poll error] take_oldest w deque = take w (Deque.steal deque)

let rec pop w deque =
  match take_newest w deque with Got -> true | Nothing -> false | Lost -> pop w deque

(* Takes the whole inbox, for others to steal from; the item that came first is to run first. *)

let[@poll error] take_in w inbox = w.moving <- Inbox.take_all inbox

let[@poll error] move_one w deque job later =
  Deque.put deque job
  && begin
    w.moving <- later;
    true
  end

let rec move w deque =
  match w.moving with
  | [] -> ()
  | job :: later ->
      if not (move_one w deque job later) then Deque.make_room deque;
      move w deque

let take_all w inbox deque =
  if w.moving == [] && not (Inbox.is_empty inbox) then take_in w inbox;
  w.moving != []
  && begin
    move w deque;
    pop w deque
  end

let from_inbox w = take_all w w.team.inbox w.core
let urgent_from_inbox w = take_all w w.team.urgent_inbox w.urgent

(* Marsaglia's xorshift. *)
let random w n =
  let s = w.seed in
  let s = s lxor (s lsl 13) in
  let s = s lxor (s lsr 7) in
  let s = s lxor (s lsl 17) in
  w.seed <- s;
  s land max_int mod n

let ask_for_fork v = if v.limit <> asked then v.limit <- asked

let ask_owner v loop =
  if v.tiny = 0 then ask_for_fork v;
  if loop != Open_loops.none then Worker.ask_loop loop

let rec steal_from w victim ~urgent =
  let deque = deque_for victim ~urgent in
  match take_oldest w deque with
  | Nothing -> false
  | (Got | Lost) as look ->
      (* The owner's next fork or iteration refills a deque that ran dry. *)
      if Deque.is_empty deque then ask_owner victim (Open_loops.outermost victim);
      look = Got || steal_from w victim ~urgent

(* From [members.(i)] on, and then from the [left - 1] behind it. *)
let rec steal_among members w i left ~urgent =
  left > 0
  &&
  let i = if i < Array.length members then i else 0 in
  let victim = members.(i) in
  if victim != w && steal_from w victim ~urgent then begin
    w.victim <- victim.id;
    Events.tell Events.steal victim.id;
    true
  end
  else steal_among members w (i + 1) (left - 1) ~urgent

let steal w ~urgent =
  let members = w.team.members in
  let n = Array.length members in
  steal_among members w (random w n) n ~urgent

let urgent_others w = urgent_from_inbox w || steal w ~urgent:true
let core_others w = from_inbox w || steal w ~urgent:false

(* What a worker finds that has nothing to do. *)
let others w = urgent_others w || core_others w || take_all w w.team.later w.core

(* Who has work that no thief can see. Reads the owners' cache lines, so not at every turn. *)
let hides_work w victim = victim != w && Fork_stack.hides victim

(* Half as often with each that was tiny. *)
let is_worth_asking w v = w.rounds land ((16 lsl v.tiny) - 1) = 0

(* Asks for it at the owners' next fork, or, if the owner was in the same loop the last time, at its
   next iteration: a loop that ends before would be the slower for the help. [watched] is the
   owners' outermost loops that were seen the last time. Kernel: nbody-planets. *)
let ask ?(hides = hides_work) w watched =
  let look i v =
    if hides w v then begin
      let loop = Open_loops.outermost v in
      if v.sp > v.base && is_worth_asking w v then ask_for_fork v;
      if loop == watched.(i) && loop != Open_loops.none then Worker.ask_loops v;
      watched.(i) <- loop
    end
  in
  Array.iteri look w.team.members

(* Parts of batches go before other work: whoever has some that no thief can see is asked for them,
   and waited for; by a worker whose task has joined a long queue, whoever runs a part is. For what that
   worker would do otherwise makes the queue longer, and what waits long is work for the collector.
   Probes: ordered-map, skip-list. *)

(* A worker's [deque] is plain, and its own: to others it is a hint, which may be old. *)
let runs_urgent w v = v != w && v.deque == v.urgent
let hides_urgent w v = runs_urgent w v && hides_work w v

(* Some tens of microseconds. *)
let urgent_rounds = 500

let rec await_urgent w awaited watched round =
  urgent_others w
  || round < urgent_rounds
     && Array.exists (awaited w) w.team.members
     && begin
       if round land 15 = 0 then ask ~hides:hides_urgent w watched;
       Domain.cpu_relax ();
       await_urgent w awaited watched (round + 1)
     end

type watched = loop array

let nothing_watched w = Array.map (fun _ -> Open_loops.none) w.team.members

let urgent_of_others w =
  let awaited = if w.queues then runs_urgent else hides_urgent in
  w.queues <- false;
  await_urgent w awaited (nothing_watched w) 0

let[@inline] urgent w =
  ((not (Deque.is_empty w.urgent)) && pop w w.urgent)
  || ((not (Inbox.is_empty w.team.urgent_inbox)) && urgent_from_inbox w)
  || (Atomic.get w.team.batches > 0 && urgent_of_others w)

let[@inline] neglected w =
  match Team.neglected_in w.turns with
  | Nobody -> false
  | Own_oldest -> steal_from w w ~urgent:false
  | Later -> take_all w w.team.later w.core
  | Inbox -> from_inbox w

let core w = pop w w.core || core_others w

let find w =
  w.turns <- w.turns + 1;
  w.victim <- -1;
  w.in_hand || neglected w || urgent w || core w

(* What a worker hides, to tell later whether it is in the same stretch still. *)
let newest v =
  (* Races with the owner: a guess, within bounds. *)
  let sp = v.sp and stack = v.stack in
  let job = if sp = 0 || sp > Array.length stack then Job.none else stack.(sp - 1) in
  (v, v.loops, job)

let hidden w = List.map newest (List.filter (hides_work w) (Array.to_list w.team.members))
let is_stuck (v, loops, job) = match newest v with _, l, j -> l == loops && j == job

(* What the loops of [v] offer to thieves that have waited long, the outermost first. *)
let take_part w v =
  let take loop = Open_loops.claim_offer loop (fun job -> take w job = Got) in
  List.exists take (List.rev v.loops)

(* Takes a part of a loop from an owner that did not come by for long; or else asks it, at the minor
   collection that this makes it join: see [Ticker]. It costs all domains some time, so it must not
   be for work that comes and goes by itself. *)
let demand w watched seen =
  match List.filter is_stuck seen with
  | [] -> false
  | stuck ->
      List.iter (fun (v, _, _) -> List.iter (fun loop -> loop.is_long <- true) v.loops) stuck;
      List.exists (fun (v, _, _) -> take_part w v) stuck
      || begin
        List.iter (fun (v, _, _) -> if v.sp > v.base then ask_for_fork v) stuck;
        ask w watched;
        Gc.minor ();
        false
      end

let is_unwatched w =
  (not (Atomic.get w.team.lookout))
  && Array.exists (fun v -> v != w && v.sp > v.base) w.team.members

let others_work w = Array.exists (fun v -> v != w && v.in_job) w.team.members

(* A look by the sleeper that is on the lookout (see [Scheduler]). It asks all that work: the next fork of
   each is offered, which costs nothing much, and shows the owner whether its forks have become longer.
   A fork that it saw already the last time, in the same place, is long, and has no fork after it that
   could answer; so the lookout demands it, once. *)

type glimpse = { owner : t; newest : Job.t; looks : int (* that have seen it before *) }

let glimpse_of v before =
  let _, _, newest = newest v in
  if v.sp <= v.base || newest == Job.none then None
  else
    let is_same g = g.owner == v && g.newest == newest in
    let looks = match List.find_opt is_same before with Some g -> g.looks + 1 | None -> 0 in
    Some { owner = v; newest; looks }

let look_out w before =
  let others = List.filter (fun v -> v != w && v.in_job) (Array.to_list w.team.members) in
  let now = List.filter_map (fun v -> glimpse_of v before) others in
  List.iter ask_for_fork others;
  if List.exists (fun g -> g.looks = 1) now then Gc.minor ();
  now

(* A search lasts about as long as it costs to wake a sleeper, seen from the one that wakes: with
   less, a worker that gets a task every few microseconds would be found asleep each time. With more,
   whoever woke it waits longer to go on: the system often begins the woken worker on the waker's
   processor. Kernel: wake. *)
let rounds = 1250

(* Longer than most stretches between two forks. Probe: long. *)
let patience = 500

let rec search w ~until ~watched ~seen round =
  (not (round = rounds || until ()))
  && (others w
     || begin
       if w.rounds land 15 = 0 then ask w watched;
       round = 2 * patience && demand w watched seen
     end
     || begin
       w.rounds <- w.rounds + 1;
       Domain.cpu_relax ();
       let seen = if round = patience then hidden w else seen in
       search w ~until ~watched ~seen (round + 1)
     end)

let search w ~until ~watched = search w ~until ~watched ~seen:[] 0

(* The last look at what others hide, and a second one for loops: a loop that is asked wakes a
   sleeper, and one that begins after the announcement sees that there is one. So a loop that stays
   is never left alone. *)
let ask_once_more w watched =
  ask w watched;
  if Array.exists (fun loop -> loop != Open_loops.none) watched then begin
    Shared.pause 32;
    ask w watched
  end

(* A loop that began in between, in an iteration that may take long. *)
let take_any_part w = Array.exists (fun v -> v != w && take_part w v) w.team.members
