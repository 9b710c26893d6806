(* Profile.

   Its hooks let no fork be private (see [Fork_stack.set_limit]): so all are seen on the slow path, and a
   fork costs nothing when nobody measures.

   A domain runs one strand at a time: start --> running --stop--> start. Between [stop] and [start]
   the scheduler works, and so does this module; that counts for nothing. *)

module Sites = Map.Make (String)

type tally = int Sites.t

let add site n tally = Sites.update site (fun sum -> Some (Option.value sum ~default:0 + n)) tally

(* Stamps *)

type stamp = { site : Call_site.t; span : int; burdened : int; path : tally }

let origin = { site = Call_site.outermost; span = 0; burdened = 0; path = Sites.empty }
let cost_of_steal = ref 0
let burden ?(times = 1) at = { at with burdened = at.burdened + (times * !cost_of_steal) }

(* The later of two, at the site of [a]. *)
let join a b =
  let longest = if a.span >= b.span then a else b in
  { longest with site = a.site; burdened = Int.max a.burdened b.burdened }

(* The calling domain's strand *)

(* What a domain knows; others read it when the measurement ends. *)
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

let create_state _ =
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

(* Those of all domains, by their index. *)
let states = ref [||]
let state () = !states.(Domain.self_index ())
let monotonic () = Int64.to_int Runtime_events.Timestamp.(to_int64 (get_current ()))
let clock = ref monotonic
let cost_of_strand = ref 0

(* Longer strands may have lost the processor to other programs. Then the clock has gone on, but not
   the time that this process has used; of which it takes long to know. *)
let long = 50_000

let look s now =
  s.looked <- now;
  s.used <- int_of_float (Sys.time () *. 1e9)

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
  if not s.running then origin
  else begin
    let { site; span; burdened; path } = s.here and time = now - s.since in
    let of_others =
      if time < long || !clock != monotonic then 0
      else begin
        let { looked; used; _ } = s in
        look s now;
        Int.max 0 (Int.min time (now - looked - (s.used - used)))
      end
    in
    (* On average right; so it must not be kept from being negative. *)
    let time = time - of_others - !cost_of_strand in
    s.running <- false;
    s.since <- now;
    s.work <- add site time s.work;
    s.here <- { site; span = span + time; burdened = burdened + time; path = add site time path };
    s.here
  end

(* The end of the strand so far; another one goes on from there. *)
let pass () =
  let was_running = (state ()).running in
  let here = stop () in
  if was_running then start here;
  here

let strand at until f =
  start at;
  Fun.protect f ~finally:(fun () -> until (stop ()))

(* [f ()], during which the caller's strand does nothing. *)
let aside f =
  let was_running = (state ()).running in
  let here = stop () in
  Fun.protect f ~finally:(fun () -> if was_running then start here)

(* Forks, loops, tasks *)

(* What is inside the call of which this is a part, the caller's strand being [here]. *)
let inside here =
  let site = Option.value (Call_site.find ()) ~default:here.site in
  let s = state () in
  s.calls <- add site 1 s.calls;
  { here with site }

let fork both f g =
  let here = stop () in
  let from = inside here in
  let left = ref from and right = ref from in
  let go_on () = start { (join !left !right) with site = here.site } in
  Fun.protect ~finally:go_on (fun () ->
      both (fun () -> strand from (( := ) left) f) (fun () -> strand (burden from) (( := ) right) g))

(* It sees a loop by the functions that this calls. A loop that is over before a thief could help is
   not offered (see [Run]): so the burdened span is no longer than that of the iterations one after the
   other. *)
let loop n within f run =
  let rec log2 n = if n <= 1 then 0 else 1 + log2 ((n + 1) / 2) in
  let here = stop () and depth = log2 n in
  let from = burden ~times:depth (inside here) in
  let upto = ref from and in_turn = ref 0 and combines = ref 0 and combining = ref 0 in
  let iteration f =
    let until at =
      upto := join !upto at;
      in_turn := !in_turn + at.burdened - from.burdened
    in
    strand from until f
  and combine f =
    let until at =
      incr combines;
      combining := !combining + at.span - from.span
    in
    strand from until f
  and go_on () =
    let { span; burdened; path; _ } = !upto in
    let time = depth * !combining / Int.max 1 !combines in
    start
      {
        site = here.site;
        span = span + time;
        burdened = Int.min (here.burdened + !in_turn + !combining) (burdened + time);
        path = add from.site time path;
      }
  in
  Fun.protect ~finally:go_on (fun () -> run (within { Hooks.iteration; combine } f))

(* Another worker takes it, or it runs on top of one that waits for it. *)
let task body =
  let here = pass () in
  let from = burden (inside here) in
  let until at =
    let s = state () in
    s.latest <- join s.latest at
  in
  fun () -> aside (fun () -> strand from until body)

(* It is part of the caller's work, and no call of the site where it has just begun. *)
let in_place f =
  let here = pass () in
  fun () ->
    let s = state () in
    s.calls <- add s.here.site (-1) s.calls;
    start here;
    f ()

(* From the start to the end *)

type Hooks.mark += At of stamp

let mark at = if at == origin then Hooks.no_mark else At at
let stamp = function At at -> at | _ -> origin

let hooks before =
  {
    before with
    Hooks.task;
    in_place;
    fork = (fun both w f g -> fork (both w) f g);
    loop = Some { around = loop };
    suspend = Some (fun () -> mark (stop ()));
    resume = Some (fun here waker -> start (join (stamp here) (stamp waker)));
    pass = Some (fun () -> mark (pass ()));
    meet = (fun at -> if (state ()).running then start (join (stop ()) (stamp at)));
    aside;
    shortcuts = false;
    private_forks = 0;
    least_workers = 128 (* more than there will be cores *);
  }

(* Sets the time that a strand takes in which nothing happens. *)
let calibrate () =
  let in_turn f g =
    let a = f () in
    (a, g ())
  in
  let forks = 100 in
  let sample _ =
    start origin;
    for _ = 1 to forks do
      ignore (fork in_turn ignore ignore : unit * unit)
    done;
    (stop ()).span / (3 * forks)
  in
  cost_of_strand := 0;
  let samples = Array.init 25 sample in
  Array.sort Int.compare samples;
  cost_of_strand := samples.(12)

let turn_on ~clock:c ~steal =
  clock := c;
  cost_of_steal := steal;
  states := Array.init 4096 create_state;
  calibrate ();
  !states.(Domain.self_index ()) <- create_state ();
  Hooks.installed := hooks !Hooks.installed

type result = { last : stamp; work : tally; calls : tally }

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
  }
