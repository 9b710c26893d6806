(* Interrupter.

   A worker interrupts the code that it runs in the finaliser that follows each minor collection
   (see [Ticker]). OCaml polls for these in every loop, but a loop that does
   not allocate makes none. So the canceller of such code makes a request, with a function that
   tells whether it is still wanted; and a domain of its own makes minor collections, at once and
   then at longer and longer intervals, until no request is wanted any more.

   A thread of a worker's domain would not do: it runs twenty times a second, and would
   run the worker's finaliser itself, where it cannot interrupt anything.

   For the same reason that domain serves the timers while code runs that can be interrupted
   ([in_use]): it is called [lead] seconds before one is due, so most timers never need it. It
   ends when there was nothing to do for a while, because each minor collection waits for it:

   1. The domain says that it ends ([is_up]).     1. The canceller adds its request.
   2. It looks for requests: if there are any,    2. It looks whether the domain is up: if not, it
      it goes on.                                    starts one.

   One of the two sees the other. *)

let lead = 0.1 (* seconds *)

(* [longest] is the longest time from one collection to the next, in seconds. *)
type request = { is_wanted : unit -> bool; longest : float }

let create ?(longest = 0.025) is_wanted = { is_wanted; longest }
let requests : request list Atomic.t = Atomic.make []
let is_up = Atomic.make false

(* How much code runs, or waits, that can be interrupted: in which domain it began. *)
let in_use = Stripes.create ~is_empty:(Int.equal 0) 0
let is_in_use () = Stripes.is_any in_use

let during f =
  let count = Stripes.mine in_use in
  let leave () = ignore (Atomic.fetch_and_add count (-1) : int)
  and run () =
    Stripes.note in_use;
    f ()
  in
  ignore (Atomic.fetch_and_add count 1 : int);
  Failure.finally leave run

let server = Timers.server ~due:(fun ~now:_ time -> if is_in_use () then time else infinity)
let is_due_soon () = is_in_use () && Timers.next () -. System.now () < lead

(* [pause] is the time to the next collection, in seconds. *)
let rec serve ?(pause = 0.001) since =
  let now = System.now () in
  let park until = Timers.park server ~until (fun bell ~until -> Bell.park bell ~until) in
  let rec keep_wanted () =
    let before = Atomic.get requests in
    let kept = List.filter (fun r -> r.is_wanted ()) before in
    if Atomic.compare_and_set requests before kept then kept else keep_wanted ()
  in
  Timers.serve now;
  match keep_wanted () with
  | [] ->
      let patience = 0.2 in
      if now -. since < patience || is_due_soon () then begin
        park (Float.max now since +. patience);
        serve since
      end
  | wanted ->
      Gc.minor ();
      park (System.now () +. pause);
      let longest = List.fold_left (fun least r -> Float.min least r.longest) infinity wanted in
      if Atomic.get requests != wanted then serve now
      else serve now ~pause:(Float.min longest (2. *. pause))

let rec live () =
  (try serve (System.now ()) with exn -> Failure.report (Failure.caught exn));
  Timers.retire server;
  Atomic.set is_up false;
  if (Atomic.get requests <> [] || is_due_soon ()) && Atomic.compare_and_set is_up false true then
    live ()

(* Without room for a domain a thread of the caller's has to do. No signal's handler raises before it is
   there. *)
let start () =
  let make () =
    if
      Atomic.compare_and_set is_up false true
      && not (Signals.spawn_domain live || Signals.spawn_thread live)
    then Atomic.set is_up false
  in
  if not (Atomic.get is_up) then Signals.with_all_blocked make

(* A new list, so that [serve] looks again whether [r] is wanted. *)
let request r =
  Shared.change requests (fun others -> r :: List.filter (( != ) r) others);
  if Atomic.get is_up then Timers.ring server else start ()

let ensure r = if not (List.memq r (Atomic.get requests)) then request r

let expect ~now time =
  if is_in_use () && (not (Timers.expect server ~now time)) && time -. now < lead then start ()
