(* Timers: maps in order of time, each in an atomic cell; so a handler of a signal, or a finaliser, may set a
   timer at any safepoint. Each domain has its own (see [Stripes]), as programs set a time limit for each request.

   A timer is served by one of the servers that are there, which are parked until their [alarm]:

   1. The setter adds the timer, and then looks at the alarm. If that is too late it moves it, and rings
      the server's bell.
   2. The server sets its alarm, and then looks at the timers once more. So one of them sees the other.

   An alarm is not put off while it is ahead, even if the timer was cancelled that it is for: else one
   that is set and cancelled again and again would ring each time. Probe: limits. *)

type key = { time : float; id : int (* those for one time have several *) }

module By_time = Map.Make (struct
  type t = key

  let compare a b =
    match Float.compare a.time b.time with 0 -> Int.compare a.id b.id | order -> order
end)

type map = (unit -> unit) By_time.t
type t = { key : key; cell : map Atomic.t }

let timers : map Stripes.t = Stripes.create ~is_empty:By_time.is_empty By_time.empty

let rec add_to cell key call =
  let before = Atomic.get cell in
  if By_time.mem key before then add_to cell { key with id = key.id + 1 } call
  else if Atomic.compare_and_set cell before (By_time.add key call before) then { key; cell }
  else add_to cell key call

let add time call =
  let t = add_to (Stripes.mine timers) { time; id = 0 } call in
  Stripes.note timers;
  t

let cancel { key; cell } = Shared.change cell (By_time.remove key)
let is_any () = Stripes.is_noted timers

let next () =
  let earlier map first =
    match By_time.min_binding_opt map with
    | Some ({ time; _ }, _) -> Float.min time first
    | None -> first
  in
  if Stripes.is_any timers then Stripes.fold earlier timers infinity else infinity

let rec serve_cell now cell =
  let before = Atomic.get cell in
  match By_time.min_binding_opt before with
  | Some (({ time; _ } as key), call) when time <= now ->
      if Atomic.compare_and_set cell before (By_time.remove key before) then Shared.insist call ();
      serve_cell now cell
  | Some _ | None -> ()

let serve now = Stripes.iter (serve_cell now) timers

(* Who comes first when the turn has come looks at those of all domains, which takes their lines from them. *)
let next_turn = Atomic.make_contended 0

let pass now =
  serve_cell now (Stripes.mine timers);
  if Shared.has_turn next_turn ~pause:100 now then serve now

(* Servers *)

type server = { bell : Bell.t; due : now:float -> float -> float; alarm : float Atomic.t }

let server ~due = { bell = Bell.create (); due; alarm = Atomic.make neg_infinity }

let expect s ~now time =
  let due = s.due ~now time in
  due < Atomic.get s.alarm
  && begin
    Atomic.set s.alarm due;
    (* Who sets a later timer leaves it at that. *)
    Shared.insist Bell.ring s.bell;
    true
  end

let park s ~until block =
  Bell.prepare s.bell;
  let now = System.now () and alarm = Atomic.get s.alarm in
  let first = Float.min until (s.due ~now (next ())) in
  let until = if alarm > now then Float.min alarm first else first in
  Atomic.set s.alarm until;
  if s.due ~now (next ()) >= until then block s.bell ~until

let ring s = Bell.ring s.bell
let retire s = Atomic.set s.alarm neg_infinity
