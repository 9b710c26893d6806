(* Scheduler: the loop of a worker: run what is at hand, else search, else sleep. *)

open Worker

(* Takes the newest job of its own, then what came from outside, then the oldest job of another
   worker: first among the parts of batches, then among the others. *)

let rec pop (deque : Job.t Deque.t) =
  match Deque.pop deque with
  | None -> None
  | Some (Job job) as found -> if Job.claim job then found else pop deque

(* Takes the whole inbox, for others to steal from; the item that came first is to run first. *)
let take_all w inbox deque =
  match Inbox.take_all inbox with
  | [] -> None
  | jobs ->
      undisturbed w (fun () -> List.iter (Deque.push deque) jobs);
      pop deque

let from_inbox w = take_all w w.team.inbox w.core

(* Marsaglia's xorshift. *)
let random w n =
  let s = w.seed in
  let s = s lxor (s lsl 13) in
  let s = s lxor (s lsr 7) in
  let s = s lxor (s lsl 17) in
  w.seed <- s;
  s land max_int mod n

let outermost v = List.fold_left (fun _ loop -> loop) Worker.no_loop v.loops

let ask_owner v loop =
  if v.limit <> 0 then v.limit <- 0;
  if loop != Worker.no_loop then Worker.ask_loop loop

let rec steal_from victim ~urgent =
  let deque = deque_for victim ~urgent in
  match Deque.steal deque with
  | None -> None
  | Some (Job job) as found ->
      (* The owner's next fork or iteration refills a deque that ran dry. *)
      if Deque.is_empty deque then ask_owner victim (outermost victim);
      if Job.claim job then found else steal_from victim ~urgent

(* From [members.(i)] on, and then from the [left - 1] behind it. *)
let rec steal_among members w i left ~urgent =
  if left = 0 then None
  else
    let i = if i < Array.length members then i else 0 in
    let victim = members.(i) in
    match if victim == w then None else steal_from victim ~urgent with
    | None -> steal_among members w (i + 1) (left - 1) ~urgent
    | found ->
        Events.tell Events.steal victim.id;
        found

let steal w ~urgent =
  let members = w.team.members in
  let n = Array.length members in
  steal_among members w (random w n) n ~urgent

let urgent_others w =
  match take_all w w.team.urgent_inbox w.urgent with None -> steal w ~urgent:true | found -> found

let core_others w = match from_inbox w with None -> steal w ~urgent:false | found -> found

(* What a worker finds that has nothing to do. *)
let others w =
  match urgent_others w with
  | None -> ( match core_others w with None -> take_all w w.team.later w.core | found -> found)
  | found -> found

(* Who has work that no thief can see. Reads the owners' cache lines, so not at every turn. *)
let hides_work w victim = victim != w && Fork_stack.hides victim

(* Asks for it at the owners' next fork, or, if the owner was in the same loop the last time, at its
   next iteration: a loop that ends before would be the slower for the help. [watched] is the
   owners' outermost loops that were seen the last time. Kernel: nbody-planets. *)
let ask ?(hides = hides_work) w watched =
  let look i v =
    if hides w v then begin
      let loop = outermost v in
      if v.sp > v.base && v.limit <> 0 then v.limit <- 0;
      if loop == watched.(i) && loop != Worker.no_loop then Worker.ask_loops v;
      watched.(i) <- loop
    end
  in
  Array.iteri look w.team.members

(* Parts of batches go before other work: whoever has some that no thief can see is asked for them,
   and waited for; by a worker whose task has joined a crowd, whoever runs a part is. For what that
   worker would do otherwise makes the crowd larger, and what waits long is work for the collector.
   Kernels: ordered-map, skip-list. *)

let runs_urgent w v = v != w && v.deque == v.urgent
let hides_urgent w v = runs_urgent w v && hides_work w v

(* Some tens of microseconds. *)
let urgent_rounds = 500

let rec await_urgent w awaited watched round =
  match urgent_others w with
  | None when round < urgent_rounds && Array.exists (awaited w) w.team.members ->
      if round land 15 = 0 then ask ~hides:hides_urgent w watched;
      Domain.cpu_relax ();
      await_urgent w awaited watched (round + 1)
  | found -> found

let nothing_watched w = Array.map (fun _ -> Worker.no_loop) w.team.members

let urgent_of_others w =
  let awaited = if w.crowds then runs_urgent else hides_urgent in
  w.crowds <- false;
  await_urgent w awaited (nothing_watched w) 0

let[@inline] urgent w =
  match if Deque.is_empty w.urgent then None else pop w.urgent with
  | None -> if Atomic.get w.team.batches > 0 then urgent_of_others w else None
  | found -> found

(* What workers that feed themselves would never come to. To begin with the oldest seldom is enough,
   and costs memory each time: what the newest would have left lies below it until it has ended.
   Kernel: fib, with promises. *)
let[@inline] neglected w =
  if w.turns land 63 <> 0 then None
  else
    match (w.turns lsr 6) land 31 with
    | 1 -> steal_from w ~urgent:false (* its own oldest *)
    | n when n land 3 = 3 -> take_all w w.team.later w.core
    | _ -> from_inbox w

let core w = match pop w.core with None -> core_others w | found -> found

let find w =
  w.turns <- w.turns + 1;
  match neglected w with
  | None -> ( match urgent w with None -> core w | found -> found)
  | found -> found

(* What a worker hides, to tell later whether it is in the same stretch still. *)
let newest v =
  (* Races with the owner: a guess, within bounds. *)
  let sp = v.sp and stack = v.stack in
  let job = if sp = 0 || sp > Array.length stack then Job.none else stack.(sp - 1) in
  (v, v.loops, job)

let hidden w = List.map newest (List.filter (hides_work w) (Array.to_list w.team.members))
let is_stuck (v, loops, job) = match newest v with _, l, j -> l == loops && j == job

(* Takes a part of a loop from an owner that did not come by for long; or else asks it, at the minor
   collection that this makes it join: see [Ticker]. It costs all domains some time, so it must not
   be for work that comes and goes by itself. *)
let demand w watched seen =
  match List.filter is_stuck seen with
  | [] -> None
  | stuck ->
      List.iter (fun (v, _, _) -> List.iter (fun loop -> loop.is_long <- true) v.loops) stuck;
      if List.exists (fun (v, _, _) -> Fork_stack.take_half v w) stuck then pop w.deque
      else begin
        ask w watched;
        Gc.minor ();
        None
      end

(* A search lasts about as long as it costs to wake a sleeper, seen from the one that wakes: with
   less, a worker that gets a task every few microseconds would be found asleep each time. Kernel:
   wake. *)
let rounds = 1500

(* Longer than most stretches between two forks. Kernel: long. *)
let patience = 500

let rec search w ~until ~watched ~seen round =
  if round = rounds || until () then None
  else
    match others w with
    | None ->
        if round land 15 = 0 then ask w watched;
        let found = if round = 2 * patience then demand w watched seen else None in
        Domain.cpu_relax ();
        let seen = if round = patience then hidden w else seen in
        if Option.is_some found then found else search w ~until ~watched ~seen (round + 1)
    | found -> found

let start_searching w =
  w.searches <- true;
  Atomic.incr w.team.searching

(* The last to find something wakes another if there is more: its finder did not (see
   [Team.notify]). *)
let stop_searching w ~found =
  w.searches <- false;
  let last = Atomic.fetch_and_add w.team.searching (-1) = 1 in
  if last && found && Team.has_work w.team then Team.notify w.team

(* Whoever chose a sleeper has counted it as searching. *)
let withdraw w = if not (Sleepers.withdraw w.team.sleepers w.id) then w.searches <- true

(* The last look at what others hide, and a second one for loops: a loop that is asked wakes a
   sleeper, and one that begins after the announcement sees that there is one. So a loop that stays
   is never left alone. *)
let ask_once_more w watched =
  ask w watched;
  if Array.exists (fun loop -> loop != Worker.no_loop) watched then begin
    for _ = 1 to 32 do
      Domain.cpu_relax ()
    done;
    ask w watched
  end

(* A loop that began in between, in an iteration that may take long. *)
let take_half w =
  Fork_stack.(Array.exists (fun v -> v != w && has_loops v && take_half v w)) w.team.members

(* See [Sleepers] for the protocol. *)
let park w ~watched ~until =
  Team.report w;
  Team.try_stop w.team;
  Sleepers.announce w.team.sleepers w.id;
  w.announced <- true;
  (* Comes after the announcement; pairs with [Divisible.enter] and the look at the sleepers after
     that. *)
  ask_once_more w watched;
  if not (Team.has_work w.team || until () || take_half w) then
    Events.during Events.park (fun () -> Poller.park w.parker);
  w.announced <- false;
  withdraw w

let rec rest w ~until =
  w.context <- Context.none;
  if not w.searches then start_searching w;
  let watched = nothing_watched w in
  let found = search w ~until ~watched ~seen:[] 0 in
  stop_searching w ~found:(Option.is_some found);
  if Option.is_some found || until () then found
  else begin
    park w ~watched ~until;
    match pop w.deque with
    | None -> rest w ~until
    | found ->
        if w.searches then stop_searching w ~found:true;
        found
  end

(* Whether a domain records backtraces is its own affair in OCaml; a task has them if its pool's
   users do. *)
let[@inline] follow_backtraces w =
  let wanted = w.team.record_backtraces in
  if w.backtraces <> wanted then begin
    w.backtraces <- wanted;
    Printexc.record_backtrace wanted
  end

(* To return where the stack has changed meanwhile costs the processor a wrong guess for each frame,
   so a job has few frames below its own. Kernel: fib, with promises. *)

(* A claimed fork that was cancelled before it started is skipped; a task looks itself, because its
   end is counted. *)
let[@inline] run_claimed w (Job.Job job) =
  match Job.state job with
  | Begun -> Task.run job
  | Taken context | Awaited (context, _) ->
      Worker.adopt w context;
      if Token.start context.token then Task.run_fork job else Job.skip job
  | Rest -> ignore (Job.run_task job)
  | Private | Public _ | Ended _ | Gone | Ready -> assert false

let begin_job w =
  Events.(tell task Begin);
  w.in_job <- true;
  follow_backtraces w;
  (* What the deque held when the limit was raised may be gone; so the first fork of a task
     publishes. *)
  w.limit <- 0;
  w.busy <- false;
  Worker.pass_point w;
  if not w.ticks then Ticker.start w

let end_job w =
  Fork_stack.end_task w;
  w.in_job <- false;
  Events.(tell task End)

let run_job w job =
  begin_job w;
  run_claimed w job;
  end_job w

let rec loop w ~until =
  if not (until ()) then begin
    (match match find w with None -> rest w ~until | found -> found with
    | None -> ()
    | Some job -> run_job w job);
    loop w ~until
  end

(* What libraries built on domain-local-await wait with. *)
let prepare_for_await () =
  let released = Ivar.create () in
  Domain_local_await.
    {
      release = (fun () -> ignore (Ivar.fill released () : bool));
      await =
        (fun () ->
          if Option.is_none (Ivar.peek released) then
            Waiter.wait (fun waiter ->
                Ivar.on_fill released (fun () -> ignore (Waiter.wake waiter : bool))));
    }

(* The calling thread is [w], calls [first], and works until [until] holds; [false], at once, if it
   cannot be. *)
let work ?(first = ignore) w ~until =
  Worker.enter w
  && begin
    Events.tell Events.worker w.id;
    Fun.protect
      (fun () ->
        Domain_local_await.using ~prepare_for_await ~while_running:(fun () ->
            first ();
            loop w ~until))
      ~finally:(fun () ->
        (* The handler of a signal may have raised in the middle of a job, a search or a sleep. *)
        if w.in_job then end_job w;
        if w.announced then withdraw w;
        if w.searches then stop_searching w ~found:false;
        if not (Fork_stack.is_clear w) then Fork_stack.publish_all w;
        w.context <- Context.none;
        w.chain <- Worker.no_chain;
        Worker.leave w;
        Team.report w;
        Events.tell Events.worker Events.nobody;
        Team.try_stop w.team;
        if Team.has_work w.team then Team.notify w.team);
    true
  end
