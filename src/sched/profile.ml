(* Profile: the work and the span of what runs, while somebody measures them (see [Scalability]).

   What runs between two calls of the scheduler is a strand, and is timed. Where it stands in the
   program is a stamp: the longest path from the beginning to here. A fork hands its stamp to both
   sides and goes on from the later of their ends; a task begins where it was started; whoever waits
   goes on from the later of its own stamp and that of whoever wakes it. On one worker nothing runs
   meanwhile, so the times are those of the strands alone.

   A domain runs one strand at a time: start --> running --stop--> start. Between [stop] and [start]
   the scheduler works, and so does this module; that counts for nothing.

   While [is_on], workers leave their limit at 0 (see [Fork_stack.calm]): so a fork finds out on the
   slow path, and costs nothing when nobody measures. *)

module Sites = Map.Make (Int)

(* By call site. *)
type tally = int Sites.t

let add site n tally = Sites.update site (fun sum -> Some (Option.value sum ~default:0 + n)) tally

type stamp = {
  site : int; (* the innermost fork, loop or start of a task that it is in *)
  span : int; (* nanoseconds *)
  burdened : int; (* the same, if every fork were a steal *)
  path : tally; (* what [span] consists of *)
}

let origin = { site = Call_site.outermost; span = 0; burdened = 0; path = Sites.empty }

type state = {
  mutable running : bool;
  mutable here : stamp;
  mutable since : int; (* the last start or stop *)
  mutable looked : int;
  mutable used : int; (* processor time at the last look *)
  mutable work : tally;
  mutable calls : tally;
  mutable latest : stamp; (* the end of any task *)
}

let is_on = ref false

let create () =
  {
    running = false;
    here = origin;
    since = 0;
    looked = 0;
    used = 0;
    work = Sites.empty;
    calls = Sites.empty;
    latest = origin;
  }

(* By the index of the domain. *)
let states = ref [||]
let state () = !states.(Domain.self_index ())

(* In nanoseconds. *)
let monotonic () = Int64.to_int Runtime_events.Timestamp.(to_int64 (get_current ()))
let processor () = int_of_float (Sys.time () *. 1e9)
let clock = ref monotonic
let cost_of_strand = ref 0
let cost_of_steal = ref 0

(* The later of two. *)
let join a b =
  let longest = if a.span >= b.span then a else b in
  { longest with site = a.site; burdened = Int.max a.burdened b.burdened }

let burden ?(times = 1) at = { at with burdened = at.burdened + (times * !cost_of_steal) }

(* Strands *)

(* Longer strands may have lost the processor to other programs. Then the clock has gone on, but not
   the time that this process has used; of which it takes long to know. *)
let long = 50_000

let look s now =
  s.looked <- now;
  s.used <- processor ()

(* How much of the time since the last look was others', if [time] is long. *)
let of_others s now time =
  if time < long || !clock != monotonic then 0
  else begin
    let looked = s.looked and used = s.used in
    look s now;
    Int.max 0 (Int.min time (now - looked - (s.used - used)))
  end

let start at =
  let s = state () in
  s.running <- true;
  s.here <- at;
  (* Meanwhile the domain may have been asleep. *)
  if !clock == monotonic && !clock () - s.since > long then look s (!clock ());
  s.since <- !clock ()

let stop () =
  let now = !clock () in
  let s = state () in
  if s.running then begin
    let { site; span; burdened; path } = s.here in
    let time = now - s.since in
    (* On average right; so it must not be kept from being negative. *)
    let time = time - of_others s now time - !cost_of_strand in
    s.running <- false;
    s.since <- now;
    s.work <- add site time s.work;
    s.here <- { site; span = span + time; burdened = burdened + time; path = add site time path };
    s.here
  end
  else origin

(* The end of the strand so far; another one goes on from there. *)
let pass () =
  if (state ()).running then begin
    let here = stop () in
    start here;
    here
  end
  else origin

(* The caller goes on after what has come to [at]. *)
let meet at = if (state ()).running then start (join (stop ()) at)

let finally f after =
  match f () with
  | v ->
      after ();
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      after ();
      Printexc.raise_with_backtrace exn backtrace

(* [f ()] from [at] on; [until] is given where it ends. *)
let strand at until f =
  start at;
  finally f (fun () -> until (stop ()))

(* The caller does nothing while [f] runs. *)
let aside f =
  let was_running = (state ()).running in
  let here = stop () in
  finally f (fun () -> if was_running then start here)

(* What is inside the call of which this is a part, the caller's strand being [here]. *)
let inside here =
  let site = Option.value (Call_site.find ()) ~default:here.site in
  let s = state () in
  s.calls <- add site 1 s.calls;
  { here with site }

(* Forks, loops, tasks *)

let fork both f g =
  let here = stop () in
  let from = inside here in
  let left = ref from and right = ref from in
  finally
    (fun () ->
      both (fun () -> strand from (( := ) left) f) (fun () -> strand (burden from) (( := ) right) g))
    (fun () -> start { (join !left !right) with site = here.site })

(* A loop is a balanced tree, with the iterations as its leaves and a [combine] where two branches
   meet. One that is over before a thief could help is not offered (see [Divisible]). *)
type loop = {
  from : stamp;
  mutable upto : stamp;
  mutable in_turn : int; (* the burdened spans of the iterations, one after the other *)
  mutable combines : int;
  mutable combining : int; (* nanoseconds *)
}

let rec log2 n = if n <= 1 then 0 else 1 + log2 ((n + 1) / 2)

let iteration loop f =
  let until at =
    loop.upto <- join loop.upto at;
    loop.in_turn <- loop.in_turn + at.burdened - loop.from.burdened
  in
  strand loop.from until f

let combine loop f =
  let until at =
    loop.combines <- loop.combines + 1;
    loop.combining <- loop.combining + at.span - loop.from.span
  in
  strand loop.from until f

let after_loop loop ~depth here =
  let { span; burdened; path; _ } = loop.upto in
  let time = depth * loop.combining / Int.max 1 loop.combines in
  let in_turn = here.burdened + loop.in_turn + loop.combining in
  {
    site = here.site;
    span = span + time;
    burdened = Int.min in_turn (burdened + time);
    path = add loop.from.site time path;
  }

let loop n f =
  let here = stop () in
  let depth = log2 n in
  let from = burden ~times:depth (inside here) in
  let loop = { from; upto = from; in_turn = 0; combines = 0; combining = 0 } in
  finally (fun () -> f loop) (fun () -> start (after_loop loop ~depth here))

(* A task, which another worker takes or which runs on top of one that waits for it. *)
let task body =
  let here = pass () in
  let from = burden (inside here) in
  fun () ->
    aside (fun () ->
        strand from
          (fun at ->
            let s = state () in
            s.latest <- join s.latest at)
          body)

(* A task for which its caller only waits is no fork. *)
let in_place f =
  let here = pass () in
  fun () ->
    start here;
    f ()

(* From the start to the end *)

(* The time that a strand takes in which nothing happens. *)
let calibrate () =
  let both f g =
    let a = f () in
    (a, g ())
  in
  let forks = 100 in
  let sample _ =
    start origin;
    for _ = 1 to forks do
      ignore (fork both ignore ignore : unit * unit)
    done;
    let work = (stop ()).path in
    Sites.fold (fun _ time sum -> time + sum) work 0 / (3 * forks)
  in
  cost_of_strand := 0;
  let samples = Array.init 25 sample in
  Array.sort Int.compare samples;
  cost_of_strand := samples.(12)

let turn_on ~clock:c ~steal =
  clock := c;
  cost_of_steal := steal;
  states := Array.init 4096 (fun _ -> create ());
  Call_site.forget_all ();
  calibrate ();
  !states.(Domain.self_index ()) <- create ();
  is_on := true

type result = { last : stamp; work : tally; calls : tally }

let sum f =
  Array.fold_left (fun sum s -> Sites.union (fun _ a b -> Some (a + b)) sum (f s)) Sites.empty

let turn_off at =
  is_on := false;
  let all = !states in
  {
    last = Array.fold_left (fun at (s : state) -> join at s.latest) at all;
    work = sum (fun (s : state) -> s.work) all;
    calls = sum (fun (s : state) -> s.calls) all;
  }
