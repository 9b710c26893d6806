module Sites = Map.Make (Int)

type tally = int Sites.t

let add site n tally = Sites.update site (fun sum -> Some (Option.value sum ~default:0 + n)) tally

type stamp = { site : int; span : int; burdened : int; path : tally }

let origin = { site = Call_site.outermost; span = 0; burdened = 0; path = Sites.empty }

type state = {
  mutable running : bool;
  mutable here : stamp;
  mutable since : int;
  mutable looked : int;
  mutable used : int;
  mutable work : tally;
  mutable calls : tally;
  mutable latest : stamp;
}

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

let states = ref [||]
let state () = !states.(Domain.self_index ())
let monotonic () = Int64.to_int Runtime_events.Timestamp.(to_int64 (get_current ()))
let processor () = int_of_float (Sys.time () *. 1e9)
let clock = ref monotonic
let cost_of_strand = ref 0
let cost_of_steal = ref 0

let join a b =
  let longest = if a.span >= b.span then a else b in
  { longest with site = a.site; burdened = Int.max a.burdened b.burdened }

let burden ?(times = 1) at = { at with burdened = at.burdened + (times * !cost_of_steal) }

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

let pass () =
  if (state ()).running then begin
    let here = stop () in
    start here;
    here
  end
  else origin

let meet at = if (state ()).running then start (join (stop ()) at)

let strand at until f =
  start at;
  Fun.protect f ~finally:(fun () -> until (stop ()))

let aside f =
  let was_running = (state ()).running in
  let here = stop () in
  Fun.protect f ~finally:(fun () -> if was_running then start here)
