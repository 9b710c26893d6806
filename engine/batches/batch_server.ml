(* Batch server: whoever is interrupted between its leave and the launch begins the launch again. *)

open Batch_object

let is_due t left = match t.policy with At_once -> true | When_idle -> left >= t.max

(* Calls [f x], which serves, and leaves. *)
let leaving t f x =
  match f x with
  | () -> Critical.finish_with leave_queue t
  | exception exn -> Critical.raise_despite leave_queue t exn

(* What is launched goes before other work, until batches have done so for this long. Then it comes
   in its turn, once: behind what waits in the pool's inbox. *)
let turn = 5e-3 (* seconds *)

let spend t since =
  let now = Clock.now () in
  Atomic.set t.spent (Atomic.get t.spent +. now -. since);
  now

type lane = First | In_turn | Later

(* A launched task counts in [team.batches], from its launch or from its begin, until its end. *)
type count = Not_yet | Counted | Over
type launched = { team : Worker.team; lane : lane; mutable count : count }

let[@poll error] count_launched l =
  match l.count with
  | Not_yet ->
      l.count <- Counted;
      ignore (Atomic.fetch_and_add l.team.batches 1 : int)
  | Counted | Over -> ()

let[@poll error] end_launched l =
  (match l.count with
  | Counted -> ignore (Atomic.fetch_and_add l.team.batches (-1) : int)
  | Not_yet | Over -> ());
  l.count <- Over

let put_launched l job =
  match l.lane with
  | First ->
      count_launched l;
      Inbox.add l.team.urgent_inbox job
  | In_turn -> Inbox.add l.team.inbox job
  | Later -> Inbox.add l.team.later job

(* Where a task is on its way. A pool that [run] abandons, when a signal's handler raises, never comes
   to it. *)
let forget place = Atomic.set place no_team

let is_on_its_way place =
  let team = Atomic.get place in
  team != no_team && not (Team.is_stopped team)

let rec find_server t =
  let left = Batch_queue.left t.queue in
  if left > 0 then if is_due t left then launch t else put_off t

(* Batch after batch, until it is other work's turn, if [has_turns]. *)
and serve t ~has_turns since =
  let w = Worker.mine () and some = serve_some t in
  Critical.reserve_stack ();
  if enter t (number w) then begin
    leaving t some w;
    let since = spend t since and left = Batch_queue.left t.queue in
    if left > 0 && is_due t left && not (has_turns && Atomic.get t.spent > turn) then
      serve t ~has_turns since
    else find_server t
  end

(* What a launched task does between its begin and its end. *)
and run_launched t place l =
  count_launched l;
  if l.lane = In_turn then Atomic.set t.spent 0.;
  (* First this and then the look at the queue: whoever finds it on its way has left items there. *)
  forget place;
  serve t ~has_turns:true (Clock.now ());
  end_launched l

(* [false] if [team] is closed to the caller or has no domain. *)
and start_in t place lane team =
  let context = { (Context.independent t.context) with urgent = true } in
  let l = { team; lane; count = Not_yet } in
  let give_up () =
    forget place;
    end_launched l;
    find_server t;
    Admission.count_end context
  in
  let body () =
    Admission.enter (Worker.here ()) context;
    match run_launched t place l with
    | () -> Critical.finish_with Admission.count_end context
    | exception exn -> Critical.raise_despite give_up () exn
  in
  Atomic.set place team;
  (Pool.is_inside team || Domains.serve team)
  &&
  let job = Admission.job body in
  match Admission.start_by (put_launched l) team job with
  | has_started ->
      if has_started then Domains.provide team;
      has_started
  | exception exn -> Critical.raise_despite end_launched l exn

(* Starts a task that will serve, unless one is on its way. A pool that is closed or has no domain
   leaves it to the pool of the caller, if that is a task, or to the caller. *)
and start t place lane =
  let before = Atomic.get place and ambient = Pool.ambient () in
  let team = Option.value t.pool ~default:ambient in
  if (not (is_on_its_way place)) && Atomic.compare_and_set place before team then
    match start_in t place lane team || start_in t place lane ambient with
    | true -> ()
    | false ->
        forget place;
        serve t ~has_turns:false (Clock.now ())
    | exception exn -> Critical.raise_despite forget place exn

and launch t = start t t.launched (if Atomic.get t.spent > turn then In_turn else First)
and put_off t = start t t.put_off Later

let is_forgotten t =
  Batch_queue.left t.queue > 0 && not (is_on_its_way t.launched || is_on_its_way t.put_off)

(* Leaving *)

let leave_busy t =
  match Critical.finish_with leave_queue t with
  | () -> Critical.finish_with find_server t
  | exception exn -> Critical.raise_despite find_server t exn

let[@inline] leave t = if not (leave_if_empty t) then leave_busy t

let serving t f x =
  match leaving t f x with
  | () -> Critical.finish_with find_server t
  | exception exn -> Critical.raise_despite find_server t exn
