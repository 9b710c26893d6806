(* Search: where a worker finds its next job. *)

open Worker

(* Takes what waits in turn and what is urgent, as whose slice it is says (see [Slice]); then the newest job of its
   own, then what came from outside, then the oldest job of another worker.

   To take a job is to claim it and to have it as the worker's hand, in one step: so whatever a callback
   raises, in the scheduler's code or before the job's own code has begun, no claimed job is lost (see
   [Scheduler.retire]). Each of the following is [true] if the worker has a hand then. *)

type look = Got | Nothing | Lost (* the job was claimed before *)

let[@inline] take w (Job.Job job as j) =
  if j == Job.none then Nothing
  else if Job.claim job then begin
    pick_up w j;
    Got
  end
  else Lost

let[@poll error] take_newest w deque = take w (Deque.pop deque)
let[@poll error] take_oldest w deque = take w (Deque.steal deque)

let rec pop w deque =
  match take_newest w deque with Got -> true | Nothing -> false | Lost -> pop w deque

let[@poll error] take_first w inbox = take w (Inbox.take inbox)

let rec from_inbox w inbox =
  (not (Inbox.is_empty inbox))
  && match take_first w inbox with Got -> true | Nothing | Lost -> from_inbox w inbox

(* Marsaglia's xorshift. *)
let random w n =
  let s = w.seed in
  let s = s lxor (s lsl 13) in
  let s = s lxor (s lsr 7) in
  let s = s lxor (s lsl 17) in
  w.seed <- s;
  s land max_int mod n

let ask_for_fork v = if v.limit <> asked then v.limit <- asked

let[@poll error] take_many w deque look job =
  Deque.steal_many deque look
  && begin
    pick_up w job;
    true
  end

(* Many at once from a long deque, which lie in the worker's own then, the oldest to be run first. On their way they
   are its hand: a job that puts them there, again perhaps, as they are claimed once. Program: async-1us. *)
let steal_many w victim ~urgent =
  match Deque.look_at_many (deque_for victim ~urgent) with
  | None -> false
  | Some look ->
      let youngest_first = List.rev (Deque.oldest look) in
      let put () = List.iter (Deque.push (deque_for (here ()) ~urgent)) youngest_first in
      let put_in_any_case () = Shared.insist put () in
      let (Job.Job job as j) = Job.rest put_in_any_case in
      Job.claim job
      && take_many w (deque_for victim ~urgent) look j
      && begin
        put_in_any_case ();
        empty_hand w;
        pop w (deque_for w ~urgent)
      end

let rec steal_from w victim ~urgent =
  (victim != w && steal_many w victim ~urgent)
  ||
  let deque = deque_for victim ~urgent in
  match take_oldest w deque with
  | Nothing ->
      (* A thief that was too late leaves the line of the top to the others. Program: async-1us, from 64 on. *)
      if victim != w && not (Deque.is_empty deque) then Shared.pause 16;
      false
  | (Got | Lost) as look ->
      (* The owner's next fork or iteration refills a deque that ran dry. *)
      if Deque.is_empty deque && victim.tiny = 0 then begin
        ask_for_fork victim;
        let loop = Open_loops.outermost victim in
        if loop != Open_loops.none then ask_loop loop
      end;
      look = Got || steal_from w victim ~urgent

let rob w victim ~urgent =
  victim != w && steal_from w victim ~urgent
  && begin
    w.victim <- victim.id;
    w.vain <- 0;
    Events.tell Events.steal victim.id;
    true
  end

let[@inline] behind i reach = if i + 1 < reach then i + 1 else 0

(* From [members.(i)] on, and then from the [left - 1] behind it. *)
let rec rob_all w members i left ~urgent =
  left > 0
  && (rob w members.(i) ~urgent
     || rob_all w members (behind i (Array.length members)) (left - 1) ~urgent)

let from_others w ~urgent =
  from_inbox w (Team.inbox w.team ~urgent)
  ||
  let members = w.team.members in
  let n = Array.length members in
  rob_all w members (random w n) n ~urgent

(* Whether [v] has work that no thief can see. Reads the owners' cache lines, so not at every look. *)
let hides_work w v = v != w && (v.sp > v.base || v.loops != [])

(* The same, but not a loop in its last iteration. Reads the lines of loops, too. *)
let can_give w v = v != w && (v.sp > v.base || List.exists Open_loops.has_any v.loops)

(* Asks for it at [v]'s next fork; or, if [v] was in [loop] the last time, at its next iteration: a loop that ends
   before would be the slower for the help. The outermost loop of [v] now. Kernel: nbody-planets. *)
let ask v loop =
  if v.sp > v.base then ask_for_fork v;
  let now = Open_loops.outermost v in
  if now == loop && loop != Open_loops.none then ask_loops v;
  now

let ask_all w loops =
  Array.iter (fun v -> if hides_work w v then loops.(v.id) <- ask v loops.(v.id)) w.team.members

(* While there are batches, their parts go before other work. *)
let[@inline] take_urgent w =
  ((not (Deque.is_empty w.urgent)) && pop w w.urgent)
  || ((not (Inbox.is_empty w.team.urgent_inbox)) && from_inbox w w.team.urgent_inbox)
  || (Atomic.get w.team.batches > 0 && from_others w ~urgent:true)

(* What waits in turn: see [Slice]. *)

let take_own w =
  let found = pop w w.core in
  Slice.note_own w;
  found

let take_other w inbox =
  from_inbox w inbox
  && begin
    Slice.note_own w;
    true
  end

let rec take_kind w ~now ~own kinds =
  kinds > 0
  && ((match w.slice.kind with
        | Own -> own && take_own w
        | New -> take_other w w.team.inbox
        | Put_off -> take_other w w.put_off)
     || begin
       Slice.begin_next w ~now;
       take_kind w ~now ~own (kinds - 1)
     end)

let take_in_turn w =
  Team.has_waiting w
  && begin
    let now = Slice.now () in
    if Slice.is_over w ~now then Slice.begin_next w ~now;
    take_kind w ~now ~own:true 3
  end

let take_next_kind w =
  (Slice.is_urgent_first w && from_inbox w w.team.urgent_inbox)
  ||
  let now = Slice.now () in
  Slice.begin_next w ~now;
  take_kind w ~now ~own:w.slice.own_waits 3

let take_put_off w = from_inbox w w.put_off

(* What others have put off, and do not come back to. *)
let rescue w =
  let has_any v = v != w && not (Inbox.is_empty v.put_off) in
  Array.exists has_any w.team.members
  &&
  let now = System.now () in
  Array.exists
    (fun v -> has_any v && now -. v.slice.times.began > 0.01 && from_inbox w v.put_off)
    w.team.members

let find w =
  w.turns <- w.turns + 1;
  w.victim <- -1;
  w.in_hand
  || (Team.is_for_oldest w.turns && steal_from w w ~urgent:false)
  || (if Slice.is_urgent_first w then take_urgent w || take_in_turn w
      else take_in_turn w || take_urgent w)
  || pop w w.core || from_others w ~urgent:false

(* What loops offer to thieves that have waited long, the outermost first. Each is in an iteration that may take
   long. *)
let take_any_part w =
  let take_part v = List.exists (Open_loops.claim_offer w) (List.rev v.loops) in
  Array.exists (fun v -> v != w && take_part v) w.team.members

(* At the minor collection that it makes [owners] join, they give what they hide: see [Ticker]. It costs all domains some
   time, so it must not be for work that comes and goes by itself, nor for what is no work for others. *)
let demand owners =
  let demand v =
    List.iter (fun loop -> loop.is_long <- true) v.loops;
    if v.sp > v.base then ask_for_fork v;
    ask_loops v
  in
  if owners <> [] then begin
    List.iter demand owners;
    Gc.minor ()
  end

let those_that_give w = List.filter (can_give w) (Array.to_list w.team.members)

(* What [w], which stands by, is wanted for: owners hide it, and have not come by for long. *)
let uncover w =
  take_any_part w
  || begin
    demand (those_that_give w);
    false
  end

let is_any_hidden team = Array.exists (hides_work nobody) team.members
let others_hide w = Array.exists (hides_work w) w.team.members
let lacks_lookout w = (not (Atomic.get w.team.lookout)) && Array.exists (can_give w) w.team.members

(* Not in an inbox, where all would meet. *)
let finds_more w =
  w.victim >= 0
  &&
  let v = w.team.members.(w.victim) in
  (not (Deque.is_empty v.core)) || hides_work w v

let others_work w = Array.exists (fun v -> v != w && v.in_job) w.team.members

let others_need_lookout w =
  Array.exists (fun v -> v != w && v.in_job && Worth.needs_lookout v) w.team.members

(* What a worker hides, to tell later whether it hides the same still. *)
type glimpse = {
  owner : t;
  newest : Job.t;
  looks : int; (* of the lookout that have seen this fork before *)
}

let glimpse v =
  (* Races with the owner: a guess, within bounds. *)
  let sp = v.sp and stack = v.stack in
  let newest = if sp = 0 || sp > Array.length stack then Job.none else stack.(sp - 1) in
  { owner = v; newest; looks = 0 }

(* A look by the sleeper that is on the lookout (see [Scheduler]). It asks those that work, the more seldom the
   more short regions they had in a row: the next fork of each is offered, which shows its owner whether its
   forks have become longer. A fork that it saw already the last time is long, and has no fork after it that
   could answer; so the lookout demands it, once. *)
let look_out w before =
  let look v =
    if random w (1 lsl Int.min v.short 6) = 0 then ask_for_fork v;
    let now = glimpse v in
    let is_same g = g.owner == v && g.newest == now.newest in
    match List.find_opt is_same before with
    | Some g -> { now with looks = g.looks + 1 }
    | None -> now
  in
  let others = List.filter (fun v -> v != w && v.in_job) (Array.to_list w.team.members) in
  let now = List.map look others in
  let is_to_come { owner = v; newest; looks; _ } =
    looks = 1 && newest != Job.none && v.sp > v.base
  in
  let stuck = List.filter is_to_come now in
  List.iter (fun g -> ask_for_fork g.owner) stuck;
  if stuck <> [] then Gc.minor ();
  w.vain <- (if others_hide w then 0 else w.vain + 1);
  now

(* Who has been asked and has passed no point since, in code without forks or in an iteration that takes long, may be
   asked again at a collection: see [demand]. A pool has one thief at a time that finds that out: more would find
   the same, and each collection stops all. *)

(* The points that those have passed that can give something, by their [id]. *)
let ask_for_a_sign w =
  let points v =
    if not (can_give w v) then -1
    else begin
      ask_for_fork v;
      ask_loops v;
      v.points
    end
  in
  if Shared.has_turn w.team.next_demand ~pause:100 (System.now ()) then
    Array.map points w.team.members
  else [||]

(* In a search: who is looked at next, who is asked next, and the outermost loop that the thief has seen there. *)
type course = { mutable next : int; mutable asked : int; mutable loop : loop }

let next_other w i =
  let reach = Team.reach w.team in
  let i = behind i reach in
  if i = w.id then behind i reach else i

(* With who has woken [w]. *)
let begin_course w =
  let first = if w.near >= 0 then w.near else next_other w (random w (Team.reach w.team)) in
  w.near <- -1;
  { next = first; asked = first; loop = Open_loops.none }

(* What came from outside lies on lines that all look at: so each looks there once a round. *)
let look_at_next w course =
  let i = course.next in
  let victim = w.team.members.(i) and next = next_other w i in
  course.next <- next;
  (next <= i && (from_inbox w w.team.urgent_inbox || from_inbox w w.team.inbox))
  || (Atomic.get w.team.batches > 0 && rob w victim ~urgent:true)
  || rob w victim ~urgent:false

(* Half as often with each region that was tiny, but often enough to find one that lasts for some hundred
   microseconds. *)
let ask_next w course =
  let v = w.team.members.(course.asked) and before = course.loop in
  if not (hides_work w v) then course.loop <- Open_loops.none
  else begin
    w.vain <- 0;
    if random w (1 lsl Int.min v.tiny 5) = 0 then course.loop <- ask v before
  end;
  let is_to_be_asked = course.loop != Open_loops.none && course.loop != before in
  if not is_to_be_asked then course.asked <- next_other w course.asked

(* A search is counted in looks at one other worker each, so it takes as long in a wide pool, and takes the line of
   an owner as seldom. It lasts about as long as it costs to wake a sleeper, seen from the one that wakes: with
   less, a worker that gets a task every few microseconds would be found asleep each time. With more,
   the waker waits longer to go on: the system often begins the woken worker on the waker's
   processor. Kernel: wake. But where regions come again within milliseconds it lasts until then: see [Worth]. *)
let search w ~until =
  (* Longer than most stretches between two forks; and what a demand costs is little beside what lies
     between two. Probe: long. *)
  let ask_after = 500 and every = 10_000 and counted_after = 16 in
  let looks = ref 0 and found = ref false and points = ref [||] and course = begin_course w in
  let most = Int.max Worth.shortest_search w.search_for in
  let ask_harder () =
    take_any_part w
    || begin
      let is_silent v = v.points = !points.(v.id) in
      if !points <> [||] then demand (List.filter is_silent (those_that_give w));
      rescue w
    end
  in
  while not (!found || !looks >= most || until ()) do
    found := look_at_next w course;
    if not !found then begin
      if !looks = counted_after then Team.begin_searching w;
      if w.looks land 15 = 0 then ask_next w course;
      if !looks mod every = ask_after then points := ask_for_a_sign w;
      if !looks mod every = 2 * ask_after then found := ask_harder ()
    end;
    if not !found then begin
      w.looks <- w.looks + 1;
      Domain.cpu_relax ();
      incr looks
    end
  done;
  if !found then w.searched <- (if w.victim >= 0 then !looks else 0) else w.search_for <- 0;
  !found

(* The last look at what others hide, and a second one for loops: a loop that is asked wakes a
   sleeper, and one that begins after the announcement sees that there is one. So a loop that stays
   is never left alone. *)
let ask_once_more w =
  let loops = Array.make (Array.length w.team.members) Open_loops.none in
  ask_all w loops;
  if Array.exists (fun loop -> loop != Open_loops.none) loops then begin
    Shared.pause 32;
    ask_all w loops
  end
