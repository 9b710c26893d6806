(* Profile.

   Its hooks let no fork be private (see [Fork_stack.set_limit]): so all are seen on the slow path, and a
   fork costs nothing when nobody measures. *)

open Strand

(* Forks and tasks *)

(* What a call costs beside what it does: the longest part is to find its site. *)
let cost_of_call = ref 0

(* Calls outside any other, as the borders of the code that does not fork. Such code lies on one chain,
   so it is enough to know how much there was before the call. *)
type border = { call : Call_site.t; work : int; span : int }

(* The first and the last. *)
let borders = ref None

(* What is inside the call of which this is a part, the caller's strand being [here]. *)
let inside here =
  let site = Option.value (Call_site.find ()) ~default:here.site in
  let s = state () in
  s.calls <- add site 1 s.calls;
  s.measuring <- s.measuring + !cost_of_call;
  if here.site == Call_site.outermost && site != here.site then begin
    let border = { call = site; work = Atomic.get outside; span = of_tally here.site here.path } in
    borders := Some (Option.fold !borders ~none:border ~some:fst, border)
  end;
  { here with site }

let fork both f g =
  let here = stop () in
  let from = inside here in
  let left_record, right_record = Recording.fork here.record in
  let left = ref from and right = ref from in
  let go_on () =
    Recording.end_fork here.record left_record right_record;
    start { (join !left !right) with site = here.site; record = here.record }
  in
  Fun.protect ~finally:go_on (fun () ->
      both
        (fun () -> strand { from with record = left_record } (( := ) left) f)
        (fun () -> strand { (burden from) with record = right_record } (( := ) right) g))

(* Another worker takes it, or it runs on top of one that waits for it. *)
let task body =
  let begin_task here = { (burden (inside here)) with record = Recording.task here.record } in
  let from = pass begin_task in
  let until at =
    let s = state () in
    s.latest <- join s.latest at
  in
  fun () -> aside (fun () -> strand from until body)

(* It is part of the caller's work, and no call of the site where it has just begun. *)
let in_place f =
  let here = pass Fun.id and borders_before = !borders in
  fun () ->
    let s = state () in
    s.calls <- add s.here.site (-1) s.calls;
    borders := borders_before;
    start here;
    f ()

(* Loops

   A step of a loop, that is an iteration, or what combines two results, may be shorter than a look at the
   clock. So cheap steps are timed together:
   1. A stretch begins with one step. The next one has up to twice as many, as long as it will take no more
      than [aim]. Between the steps of a stretch its strand goes on.
   2. A step that calls the scheduler (it forks, or waits) ends its stretch. The next one has one step.
   3. The steps of a stretch have taken as long each as those of the stretch before or the one behind;
      what it took longer was one of them. So neither a long step among short ones nor the place where
      steps become longer is lost. *)

type stretch = { time : int; steps : int; words : int }

let no_stretch = { time = 0; steps = 1; words = 0 }
let cost_of_stretch = ref 0
let cost_of_1024_steps = ref 0
let words_of_1024_steps = ref 0

type loop = {
  recorded : Recording.loop;
  mutable from : stamp; (* with the record of the iteration that began last *)
  mutable is_between : bool; (* that has ended *)
  mutable length : int; (* the steps that the stretch is to have *)
  mutable steps : int; (* that it has *)
  mutable combines : int; (* those that combine *)
  mutable iterations : int; (* of the loop so far *)
  mutable last : stretch;
  mutable before : stretch;
  mutable longest : int; (* of plain iterations *)
  mutable upto : stamp; (* the latest end of the others *)
  mutable in_turn : int;
  mutable combined : stretch; (* all that combined *)
  mutable unpaid : int; (* not yet counted as work *)
}

let create_loop from =
  {
    recorded = Recording.loop from.record;
    from;
    is_between = true;
    length = 1;
    steps = 0;
    combines = 0;
    iterations = 0;
    last = no_stretch;
    before = no_stretch;
    longest = 0;
    upto = from;
    in_turn = 0;
    combined = { time = 0; steps = 0; words = 0 };
    unpaid = 0;
  }

let pay s l =
  count s l.from.site l.unpaid;
  l.unpaid <- 0

let combine_took l time steps =
  l.combined <- { l.combined with time = l.combined.time + time; steps = l.combined.steps + steps }

(* To combine is as good as an iteration. *)
let record_stretch l { time; steps; words } ~longest =
  if steps > 1 && longest > 2 * time / steps then begin
    Recording.steps l.recorded (steps - 1) ~ns:(time - longest) ~words;
    Recording.steps l.recorded 1 ~ns:longest ~words:0
  end
  else Recording.steps l.recorded steps ~ns:time ~words

(* The stretch after the last is [next]. *)
let judge_last l next =
  let { time; steps; _ } = l.last in
  let others (like : stretch) = (steps - 1) * like.time / like.steps in
  let longest = Int.max (time / steps) (time - Int.max (others l.before) (others next)) in
  l.longest <- Int.max l.longest longest;
  if l.last != no_stretch then record_stretch l l.last ~longest

let end_stretch s l =
  let { steps; combines; _ } = l in
  let cost = !cost_of_stretch + (steps * !cost_of_1024_steps / 1024) in
  let time = lap s - cost in
  s.measuring <- s.measuring + cost;
  l.unpaid <- l.unpaid + time;
  if l.unpaid > long then pay s l;
  l.in_turn <- l.in_turn + time;
  if combines > 0 then combine_took l (time * combines / steps) combines;
  let next = { time; steps; words = lap_words s - (steps * !words_of_1024_steps / 1024) } in
  if combines = steps then record_stretch l next ~longest:0
  else begin
    l.iterations <- l.iterations + steps - combines;
    judge_last l next;
    l.before <- l.last;
    l.last <- next;
    let of_combine = l.combined.time / Int.max 1 l.combined.steps in
    let aim = 40 * !cost_of_stretch and slowest = Int.max (time / steps) of_combine in
    l.length <- Int.max 1 (Int.min (2 * steps) (aim / Int.max 1 slowest))
  end;
  l.steps <- 0;
  l.combines <- 0;
  (* Not what this has allocated *)
  ignore (lap_words s : int)

(* A step that was not plain, as the last of [steps]. *)
let end_strand l record ~steps ~combines at =
  let before = (steps - 1) * l.last.time / l.last.steps in
  Recording.split_steps l.recorded record (steps - 1) ~ns:before;
  Recording.end_iteration l.recorded record;
  l.in_turn <- l.in_turn + at.burdened - l.from.burdened;
  if combines > 0 then combine_took l (at.span - l.from.span - before) 1
  else begin
    l.iterations <- l.iterations + steps;
    l.upto <- join l.upto (advance at (-before))
  end;
  l.length <- 1

(* The domain is in a stretch of this loop, and nothing but plain steps has happened in it. *)
let is_plain s l = s.running && s.here == l.from

(* A stretch that the end of the loop, or a wait between two steps, has ended *)
let record_rest l = if l.is_between then Recording.end_steps l.recorded l.from.record l.steps

let begin_stretch l =
  record_rest l;
  l.steps <- 0;
  l.combines <- 0;
  if l.from.record != Recording.nowhere then
    l.from <- { l.from with record = Recording.iteration l.recorded };
  start l.from

(* [combines] is 1 if the step combines, or else 0. *)
let step l ~combines f =
  if not (is_plain (state ()) l) then begin_stretch l;
  let steps = l.steps + 1 and combines_in_all = l.combines + combines in
  let record = l.from.record in
  l.is_between <- false;
  let finally () =
    let s = state () in
    l.is_between <- true;
    if is_plain s l then begin
      l.steps <- steps;
      l.combines <- combines_in_all;
      if steps >= l.length then end_stretch s l
    end
    else end_strand l record ~steps ~combines (stop ())
  in
  Fun.protect ~finally f

(* The longest path through its iterations. *)
let end_loop l =
  let s = state () in
  if is_plain s l && l.steps > 0 then end_stretch s l;
  record_rest l;
  judge_last l no_stretch;
  pay s l;
  join l.upto (advance l.from l.longest)

(* It sees a loop by the functions that this calls. A loop that is over before a thief could help is
   not offered (see [Run]): so the burdened span is no longer than that of the iterations one after the
   other. *)
let loop n within f run =
  let rec log2 n = if n <= 1 then 0 else 1 + log2 ((n + 1) / 2) in
  let here = stop () and depth = log2 n in
  let l = create_loop (burden ~times:depth (inside here)) in
  let iteration f = step l ~combines:0 f
  and combine f = step l ~combines:1 f
  and go_on () =
    let at = end_loop l in
    Recording.end_loop here.record l.recorded;
    if n >= Cheap_loops.many then begin
      let s = state () in
      s.iterations <- add l.from.site l.iterations s.iterations
    end;
    let { time; steps } = l.combined in
    let { span; burdened; path; _ } = advance at (depth * time / Int.max 1 steps) in
    let burdened = Int.min (here.burdened + l.in_turn) burdened in
    start { site = here.site; span; burdened; path; record = here.record }
  in
  Fun.protect ~finally:go_on (fun () -> run (within { Hooks.iteration; combine } f))

(* From the start to the end *)

type Hooks.mark += At of stamp * Recording.event

let mark event at = if at == origin then Hooks.no_mark else At (at, event at.record)
let marked = function At (at, event) -> (at, event) | _ -> (origin, Recording.no_event)

(* [here] goes on with what was there at [mark]. *)
let go_on here mark =
  let at, event = marked mark in
  Recording.wait here.record event;
  start (join here at)

let hooks before =
  {
    before with
    Hooks.task;
    in_place;
    fork = (fun both w f g -> fork (both w) f g);
    loop = Some { around = loop };
    suspend = Some (fun () -> mark (fun _ -> Recording.no_event) (stop ()));
    resume = Some (fun here waker -> go_on (fst (marked here)) waker);
    pass = Some (fun () -> pass (mark Recording.signal));
    meet = (fun mark -> if (state ()).running then go_on (stop ()) mark);
    aside;
    shortcuts = false;
    private_forks = 0;
    least_workers = 128 (* more than there will be cores *);
  }

let median sample =
  let samples = Array.init 25 sample in
  Array.sort Int.compare samples;
  samples.(12)

(* Sets what it costs to measure where nothing happens. *)
let calibrate origin =
  let in_turn f g =
    let a = f () in
    (a, g ())
  in
  let forks = 100 and steps = 1024 in
  let fork _ = ignore (fork in_turn ignore ignore : unit * unit) in
  let strands _ =
    start origin;
    List.iter fork (List.init forks Fun.id);
    (stop ()).span / (3 * forks)
  in
  let words _ =
    let before = Recording.words origin.record in
    ignore (strands () : int);
    (Recording.words origin.record - before) / (3 * forks)
  and calls _ =
    let began = !clock () in
    start origin;
    List.iter fork (List.init forks Fun.id);
    (!clock () - began) / forks
  and loop length _ =
    let l = create_loop origin in
    l.length <- length;
    start l.from;
    (* As a loop calls it. *)
    let hooks =
      Sys.opaque_identity
        { Hooks.iteration = (fun f -> step l ~combines:0 f); combine = (fun f -> f ()) }
    in
    let body =
      Sys.opaque_identity (fun i ->
          ignore (hooks.iteration (fun () -> Sys.opaque_identity i) : int))
    in
    let began = !clock () in
    for i = 1 to steps do
      body i
    done;
    !clock () - began
  in
  let words_of_steps _ =
    let before = allocated () in
    ignore (loop max_int () : int);
    allocated () - before
  in
  List.iter
    (fun cost -> cost := 0)
    [
      cost_of_strand;
      words_of_strand;
      cost_of_call;
      cost_of_stretch;
      cost_of_1024_steps;
      words_of_1024_steps;
    ];
  words_of_strand := median words;
  words_of_1024_steps := median words_of_steps;
  cost_of_strand := median strands;
  cost_of_call := median calls;
  cost_of_1024_steps := median (loop max_int);
  (* While its cost is 0, a stretch has one step. *)
  cost_of_stretch := (median (loop 1) - !cost_of_1024_steps) / steps

let turn_on ?(records = false) ~clock:c ~steal () =
  let beginning () = if records then { origin with record = Recording.begin_ () } else origin in
  clock := c;
  cost_of_steal := steal;
  states := Array.init 4096 (fun _ -> create_state ());
  calibrate (beginning ());
  !states.(Domain.self_index ()) <- create_state ();
  Atomic.set outside 0;
  borders := None;
  Hooks.installed := hooks !Hooks.installed;
  beginning ()

type result = {
  last : stamp;
  work : tally;
  calls : tally;
  iterations : tally;
  measuring : int;
  borders : (border * border) option;
}

(* What other domains write meanwhile, where a task that nobody awaits goes on, or one that has
   handed over its result comes to its end, is missed. *)
let result at =
  let sum f =
    let add_state sum s = Sites.union (fun _ a b -> Some (a + b)) sum (f s) in
    Array.fold_left add_state Sites.empty !states
  in
  {
    last = Array.fold_left (fun at s -> join at s.latest) at !states;
    work = sum (fun (s : state) -> s.work);
    calls = sum (fun (s : state) -> s.calls);
    iterations = sum (fun (s : state) -> s.iterations);
    measuring = Array.fold_left (fun sum (s : state) -> sum + s.measuring) 0 !states;
    borders = !borders;
  }
