(* Strand.

   A domain runs one strand at a time: start --> running --stop--> start. Between [stop] and [start]
   the scheduler works, and so does the profile; that counts for nothing. *)

module Sites = Map.Make (String)

type tally = int Sites.t

let add site n tally = Sites.update site (fun sum -> Some (Option.value sum ~default:0 + n)) tally
let of_tally site tally = Option.value (Sites.find_opt site tally) ~default:0

(* Stamps *)

type stamp = {
  site : Call_site.t;
  span : int;
  burdened : int;
  path : tally;
  record : Recording.sequence;
}

let origin =
  {
    site = Call_site.outermost;
    span = 0;
    burdened = 0;
    path = Sites.empty;
    record = Recording.nowhere;
  }

let cost_of_steal = ref 0
let burden ?(times = 1) at = { at with burdened = at.burdened + (times * !cost_of_steal) }

let advance at time =
  { at with span = at.span + time; burdened = at.burdened + time; path = add at.site time at.path }

(* The later of two, at the site of [a]. *)
let join a b =
  let longest = if a.span >= b.span then a else b in
  { longest with site = a.site; burdened = Int.max a.burdened b.burdened; record = a.record }

(* The calling domain's strand *)

(* What a domain knows; others read it when the measurement ends. *)
type state = {
  mutable running : bool;
  mutable here : stamp;
  mutable since : int; (* the last start, stop or lap *)
  mutable allocated : int; (* words, then *)
  mutable looked : int;
  mutable used : int; (* processor time at the last look *)
  mutable work : tally;
  mutable calls : tally;
  mutable iterations : tally; (* of loops with many *)
  mutable latest : stamp; (* the end of any task *)
  mutable measuring : int; (* what that has cost *)
}

let create_state () =
  {
    running = false;
    here = origin;
    since = 0;
    allocated = 0;
    looked = 0;
    used = 0;
    work = Sites.empty;
    calls = Sites.empty;
    iterations = Sites.empty;
    latest = origin;
    measuring = 0;
  }

(* Those of all domains, by their index. *)
let states = ref [||]
let state () = !states.(Domain.self_index ())
let monotonic () = Int64.to_int Runtime_events.Timestamp.(to_int64 (get_current ()))
let clock = ref monotonic

let median sample =
  let samples = Array.init 25 sample in
  Array.sort Int.compare samples;
  samples.(12)

let cost_of_strand = ref 0
let words_of_strand = ref 0

(* Longer strands may have lost the processor to other programs. Then the clock has gone on, but not
   the time that this process has used; of which it takes long to know. *)
let long = 50_000

let look s now =
  s.looked <- now;
  s.used <- int_of_float (Sys.time () *. 1e9)

let allocated () = int_of_float (Gc.minor_words ())

let start at =
  let s = state () in
  s.running <- true;
  s.here <- at;
  if at.record != Recording.nowhere then s.allocated <- allocated ();
  (* Meanwhile the domain may have been asleep. *)
  if !clock == monotonic && !clock () - s.since > long then look s (!clock ());
  s.since <- !clock ()

let lap s =
  let now = !clock () in
  let time = now - s.since in
  s.since <- now;
  if time < long || !clock != monotonic then time
  else begin
    let { looked; used; _ } = s in
    look s now;
    s.since <- !clock ();
    time - Int.max 0 (Int.min time (now - looked - (s.used - used)))
  end

(* The words since then, if somebody records them. *)
let lap_words s =
  if s.here.record == Recording.nowhere then 0
  else begin
    let now = allocated () in
    let words = now - s.allocated in
    s.allocated <- now;
    words
  end

(* Of code outside any call, on all domains. *)
let outside = Atomic.make 0

let count s site time =
  s.work <- add site time s.work;
  if site == Call_site.outermost then ignore (Atomic.fetch_and_add outside time : int)

let stop () =
  let s = state () in
  if not s.running then origin
  else begin
    (* On average right; so it must not be kept from being negative. *)
    let time = lap s - !cost_of_strand in
    Recording.work s.here.record ~ns:time ~words:(lap_words s - !words_of_strand);
    s.running <- false;
    count s s.here.site time;
    s.here <- advance s.here time;
    s.here
  end

(* The end of the strand so far; another one goes on from there. *)
let pass f =
  let was_running = (state ()).running in
  let here = stop () in
  let v = f here in
  if was_running then start here;
  v

let strand at until f =
  start at;
  Fun.protect f ~finally:(fun () -> until (stop ()))

(* [f ()], during which the caller's strand does nothing. *)
let aside f =
  let was_running = (state ()).running in
  let here = stop () in
  Fun.protect f ~finally:(fun () -> if was_running then start here)
