(* Timers: a map in order of time, in one atomic cell; so a handler of a signal, or a finaliser, may set a
   timer at any safepoint.

   A timer is served by one of the servers that are there, which are parked until their [alarm]:

   1. The setter adds the timer, and then looks at the alarm. If that is too late it moves it, and rings
      the server's bell.
   2. The server sets its alarm, and then looks at the timers once more. So one of them sees the other.

   An alarm is not put off while it is ahead, even if the timer was cancelled that it is for: else one
   that is set and cancelled again and again would ring each time. Probe: limits. *)

module By_time = Map.Make (struct
  type t = float * int

  let compare (time, id) (time', id') =
    match Float.compare time time' with 0 -> Int.compare id id' | order -> order
end)

type t = By_time.key

let timers : (unit -> unit) By_time.t Atomic.t = Atomic.make By_time.empty

let add =
  let ids = Atomic.make 0 in
  fun time call ->
    let t = (time, Atomic.fetch_and_add ids 1) in
    Shared.change timers (By_time.add t call);
    t

let cancel t = Shared.change timers (By_time.remove t)

let next () =
  match By_time.min_binding_opt (Atomic.get timers) with
  | Some ((time, _), _) -> time
  | None -> infinity

let is_any () = not (By_time.is_empty (Atomic.get timers))

let rec serve now =
  let before = Atomic.get timers in
  match By_time.min_binding_opt before with
  | Some (((time, _) as t), call) when time <= now ->
      if Atomic.compare_and_set timers before (By_time.remove t before) then Shared.insist call ();
      serve now
  | Some _ | None -> ()

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
