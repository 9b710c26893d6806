(* Steps.

   A step of a loop, that is an iteration, or what combines two results, may be shorter than a look at the
   clock. So cheap steps are timed together:
   1. A stretch begins with one step. The next one has up to twice as many, as long as it will take no more
      than [aim]. Between the steps of a stretch its strand goes on.
   2. A step that calls the scheduler (it forks, or waits) ends its stretch. The next one has one step.
   3. The steps of a stretch have taken as long each as those of the stretch before or the one behind;
      what it took longer was one of them. So neither a long step among short ones nor the place where
      steps become longer is lost. *)

open Strand

type stretch = { time : int; steps : int; words : int }

let no_stretch = { time = 0; steps = 1; words = 0 }
let cost_of_stretch = ref 0
let cost_of_1024_steps = ref 0
let words_of_1024_steps = ref 0

type t = {
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

let create from =
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
let finish l =
  let s = state () in
  if is_plain s l && l.steps > 0 then end_stretch s l;
  record_rest l;
  judge_last l no_stretch;
  pay s l;
  join l.upto (advance l.from l.longest)

let recorded l = l.recorded
let iterations (l : t) = l.iterations
let in_turn l = l.in_turn

let combining l ~depth =
  let { time; steps; _ } = l.combined in
  depth * time / Int.max 1 steps

(* Sets what it costs where nothing happens. *)
let calibrate origin =
  let count = 1024 in
  let loop length _ =
    let l = create origin in
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
    for i = 1 to count do
      body i
    done;
    !clock () - began
  in
  let words _ =
    let before = allocated () in
    ignore (loop max_int () : int);
    allocated () - before
  in
  List.iter (fun cost -> cost := 0) [ cost_of_stretch; cost_of_1024_steps; words_of_1024_steps ];
  words_of_1024_steps := median words;
  cost_of_1024_steps := median (loop max_int);
  (* While its cost is 0, a stretch has one step. *)
  cost_of_stretch := (median (loop 1) - !cost_of_1024_steps) / count
