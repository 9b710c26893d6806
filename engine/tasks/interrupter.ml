(* Interrupter.

   A worker interrupts the code that it runs in the finaliser that follows each minor collection
   (see [Ticker], [Section.interrupt]). OCaml polls for these in every loop, but a loop that does
   not allocate makes none. So whoever cancels such code makes a request, with a function that
   tells whether it is still wanted; and a domain of its own makes minor collections, at once and
   then at longer and longer intervals, until no request is wanted any more.

   A thread of a worker's domain would not do: it gets a turn twenty times a second, and would
   run the worker's finaliser itself, where it cannot interrupt anything.

   For the same reason that domain serves the timers while code runs that can be interrupted
   ([in_use]): it is called [lead] seconds before one is due, so most timers never need it. It
   ends when there was nothing to do for [patience], because each minor collection waits for it.

   Absent --call--> Called --serve--> Up --nothing to do--> Absent *)

type state = Absent | Called | Up

let lead = 0.1 (* seconds *)
let patience = 0.2
let shortest = 0.001 (* from one collection to the next *)
let state = Atomic.make Absent
let bell = Bell.create ()

(* The bell is rung for a timer that is due before. *)
let wakes_at = Atomic.make neg_infinity

(* [longest] is the longest time from one collection to the next. *)
type request = { is_wanted : unit -> bool; longest : float }

let create ?(longest = 0.025) is_wanted = { is_wanted; longest }
let no_request = create (fun () -> false)
let requests : request list Atomic.t = Atomic.make []

(* How much code runs, or waits, that can be interrupted. *)
let in_use = Atomic.make 0
let is_in_use () = Atomic.get in_use > 0

let rec keep_wanted () =
  let before = Atomic.get requests in
  match List.filter (fun request -> request.is_wanted ()) before with
  | [] when before = [] -> false
  | kept -> if Atomic.compare_and_set requests before kept then kept <> [] else keep_wanted ()

let next_timer () = if is_in_use () then Awaited.(next_time (Atomic.get state)) else infinity

(* First says when it wakes up, and then looks; pairs with [expect]. *)
let park ~until =
  let until = Float.min until (next_timer ()) in
  Atomic.set wakes_at until;
  if next_timer () >= until then begin
    let nothing_else = Bell.park bell ~until in
    ignore (nothing_else : Unix.file_descr list * Unix.file_descr list)
  end;
  Atomic.set wakes_at neg_infinity

let rec serve ~since ~pause =
  let now = Clock.now () in
  Awaited.serve_timers now;
  if keep_wanted () then begin
    let requested = Atomic.get requests in
    Gc.minor ();
    park ~until:(Clock.now () +. pause);
    let is_new = Atomic.get requests != requested in
    let longest = List.fold_left (fun least r -> Float.min least r.longest) infinity requested in
    serve ~since:now ~pause:(if is_new then shortest else Float.min longest (2. *. pause))
  end
  else if now -. since < patience || next_timer () -. now < lead then begin
    park ~until:(Float.max now since +. patience);
    serve ~since ~pause:shortest
  end

(* A finaliser may raise here, but must not end it. First says that it ends, and then looks; pairs with
   [request]. *)
let rec live () =
  (try
     Bell.prepare bell;
     serve ~since:(Clock.now ()) ~pause:shortest
   with exn -> Failure.report (Failure.caught exn));
  Atomic.set state Absent;
  if Atomic.get requests <> [] && Atomic.compare_and_set state Absent Up then live ()

let run () = if Atomic.compare_and_set state Called Up then live ()

(* May be called again. Without room for a domain a thread of the caller's has to do. *)
let make () =
  let create () = ignore (Thread.create run () : Thread.t) in
  if Atomic.get state = Called && not (Births.spawn run ~keep:ignore) then
    try Signals.with_all_blocked create
    with Failure _ | Sys_error _ -> ignore (Atomic.compare_and_set state Called Absent : bool)

let call () =
  Critical.reserve_stack ();
  Duty.during ~hand_over:make (fun () ->
      if Atomic.compare_and_set state Absent Called then Critical.finish make else Bell.ring bell)

let rec add request =
  let before = Atomic.get requests in
  if not (List.memq request before || Atomic.compare_and_set requests before (request :: before))
  then add request

(* From any thread. May be called again. *)
let request r =
  add r;
  call ()

let ensure r = if not (List.memq r (Atomic.get requests)) then request r

(* A timer is due at [time]. *)
let expect time =
  if is_in_use () then
    match Atomic.get state with
    | Up | Called -> if time < Atomic.get wakes_at then Bell.ring bell
    | Absent -> if time -. Clock.now () < lead then call ()
