(* Crowd: how many workers are worth their processors.

   Where other programs want these, too, workers that share short regions wait at their joins for one that has lost its
   processor. They wait at collections, too, but just so for one that stands by: against that, minor heaps grow (see
   [Minor_heap]).

   All --some wait--> Trial --as good--> Fewer --hold--> Look --not worth it--> Fewer
    ^                  |                                  |
    +----worse---------+                                  |
    +----nobody waits, or worth it------------------------+

   In a trial and in a look the work of all and that of fewer are compared, for one window each.
   Each comparison that changes nothing doubles the time to the next one.

   A worker looks at the load where it comes by anyway: at a collection, and where it searches. The first to come
   after a window looks for all. *)

open Worker

type t = crowd

let window = 0.01
let crowded = 0.3 (* threads that wait for a processor, on average *)

(* So much more is to be done by all, or the fewer disturb others less. *)
let worth = 1.1
let shortest = 0.2
let active t = match t.stage with All | Look _ -> t.most | Trial _ | Fewer _ -> t.few

let create ~processors members =
  let most = Int.max 1 (Int.min members processors) in
  { most; stage = All; few = most; hold = shortest; holds_until = 0.; lately = 0. }

let for_now t ~now stage = { t with stage; holds_until = now +. t.hold }
let for_longer t ~now stage = for_now { t with hold = Float.min 1.6 (2. *. t.hold) } ~now stage

let step t ~now load =
  let t = { t with lately = (t.lately +. load.waiting) /. 2. } in
  (* As many work in a trial as are on a processor at a time. Those that sleep meanwhile are not seen to wait
     for one. *)
  let few = Int.max 1 (t.most - Int.max 1 (Float.to_int (Float.round load.waiting))) in
  (* Such a window says nothing, but that who works may wait for those that do not. *)
  let is_idle = load.ran +. load.waiting < 0.5 in
  match t.stage with
  | Trial _ when is_idle -> { t with stage = All }
  | Fewer before when is_idle -> { t with stage = Look before }
  | (All | Look _) when is_idle -> t
  | All when t.lately < crowded -> { t with hold = shortest }
  (* Nobody waits at joins. *)
  | All when load.spun <= 0.1 -> t
  (* The few cannot do more than one processor's work each. *)
  | All when few = t.most || now < t.holds_until || load.ran >= worth *. float few -> t
  | All -> { t with stage = Trial load; few }
  | Trial all when all.ran < worth *. load.ran -> for_now t ~now (Fewer load)
  | Trial _ -> for_longer t ~now All
  | Fewer _ when now < t.holds_until -> { t with stage = Fewer load }
  | Fewer _ -> { t with stage = Look load }
  | Look _ when load.waiting < crowded -> { t with stage = All; hold = shortest }
  | Look fewer when load.ran < worth *. fewer.ran -> for_longer t ~now (Fewer fewer)
  | Look _ -> for_now t ~now All

(* Which worker it is that stands by does not matter, as long as so many others are awake. The fields
   of others are plain: a guess. *)
let[@inline] is_surplus w =
  w.id >= w.team.active
  && begin
    let awake = ref 0 in
    for i = 0 to w.id - 1 do
      let v = w.team.members.(i) in
      if v.thread >= 0 && not v.announced then incr awake
    done;
    !awake >= w.team.active
  end

(* For how long [w] ran, searches apart, searched, and waited for a processor, since the last look. *)
let time_of w =
  let read (thread, file) = if thread = w.thread then Processors.read_time file else None in
  match Option.bind w.load.file read with
  | None ->
      w.load.time <- None;
      (0., 0., 0.)
  | Some now ->
      let before = Option.value w.load.time ~default:now and looks = w.looks in
      let spun = float (looks - w.load.seen_looks) *. w.load.look in
      w.load.time <- Some now;
      w.load.seen_looks <- looks;
      ( Float.max 0. (now.ran -. before.ran -. spun),
        spun,
        Float.max 0. (now.waited -. before.waited) )

(* What a collection waits where so many wait for a processor, in seconds: for a domain that is off its processor,
   about a slice of the operating system's. Nobody tells how long that is. *)
let late_collection team = 0.004 *. Float.min 1. team.crowding.crowd.lately

let follow team crowd =
  if active crowd <> active team.crowding.crowd then Events.tell Events.active (active crowd);
  team.crowding.crowd <- crowd;
  team.active <- active crowd;
  Array.iter (fun w -> if w.id >= team.active then w.attention ()) team.members

(* Nobody looks at the machine here, for threads that come and go, such as the last of a pool or a program
   that has just ended, are no crowd: the first window decides. Probe: setup. *)
let begin_with team members =
  let processors = if team.adaptive then Processors.available () else members in
  follow team (create ~processors members)

let observe team now =
  let crowding = team.crowding in
  let seconds = now -. crowding.observed_at in
  let add (all_ran, all_spun, all_waited) w =
    let ran, spun, waited = time_of w in
    (all_ran +. ran, all_spun +. spun, all_waited +. waited)
  in
  let ran, spun, waited = Array.fold_left add (0., 0., 0.) team.members in
  let waiting = waited /. seconds in
  crowding.observed_at <- now;
  if waited > 1e-4 then Events.tell_time Events.unserved (int_of_float (1e9 *. waited));
  (* A window that is much too long is of a pool that had nothing to do. *)
  if seconds < 10. *. window then
    follow team (step crowding.crowd ~now { ran = ran /. seconds; spun = spun /. seconds; waiting })

let look w =
  if w.team.adaptive then begin
    let now = Unix.gettimeofday () and crowding = w.team.crowding in
    let has_file = match w.load.file with Some (thread, _) -> thread = w.thread | None -> false in
    if not has_file then begin
      w.load.time <- None;
      w.load.file <- Option.map (fun file -> (w.thread, file)) (Processors.time_file ())
    end;
    let is_time () = now -. crowding.observed_at > window in
    if is_time () then begin
      (* Another worker may have observed in between. *)
      let observe () = if is_time () then observe w.team now
      and end_observation () = Atomic.set crowding.is_observed false in
      (* One of them at a time. *)
      if Atomic.compare_and_set crowding.is_observed false true then
        Failure.finally end_observation observe
    end
  end

(* The looks tell for how long it searched, as no clock is read between a find and what was found. So
   a search in vain tells how long a look takes: it may have lost the processor for a while, so the
   shortest of late counts. Kernel: wake. *)
let spinning w search =
  look w;
  let looks = w.looks and since = Unix.gettimeofday () in
  let found = search () in
  if not found then begin
    let seconds = Unix.gettimeofday () -. since and looks = w.looks - looks in
    if looks >= 1000 && seconds > 0. then
      w.load.look <- Float.min (seconds /. float looks) (1.25 *. w.load.look)
  end;
  found

(* Whether those that work come by at all, which they are asked to do: one that waits without the
   scheduler's knowing may wait for jobs that nobody takes. Until they do again there is no pause
   before each of these. *)
let stand_by w ~is_left =
  let points_of_others () = Team.sum w.team (fun v -> if v == w then 0 else v.points) in
  (* They have not come by since before the latest pause of [w], and leave something undone. *)
  let is_wanted () = w.seen_still = points_of_others () && is_left () in
  is_wanted ()
  ||
  let before = points_of_others () in
  Array.iter (fun v -> if v != w then v.attention ()) w.team.members;
  Events.during Events.stand_by (fun () -> Unix.sleepf 0.005);
  look w;
  w.seen_still <- before;
  is_wanted ()
