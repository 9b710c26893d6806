(* Blocking.

   Where there is no room for a domain of their own, the threads live on that of a caller. An
   idle thread waits for [patience] seconds for the next call, and then ends; the domain ends
   with its last thread. There are at most [most] threads; further calls wait in line.

   A call is made once, by whoever claims it, and nobody when its caller gives it up before. A
   thread has a stay each time that it waits in [idle]; whoever takes it out there gives it a
   call, or dismisses it:

   Free --order--> Given
           +-----> Dismissed

   What follows from a step of [state] is finished in any case, so it may be done again; so may
   what a thread or the domain does: each knows how far it has come. *)

type call = { claim : Claim.t; body : unit -> unit; conclude : unit -> unit }
type order = Free | Given of call | Dismissed
type stay = { order : order Atomic.t; parker : Parker.t; domain : Domain.id }

(* Who runs it: nobody yet, its thread, or, where there is none to be had, who was to make it. *)
type life = Unborn | Apart | Here

(* A thread, and what it does now. *)
type runner = { life : life Atomic.t; mutable now : stage }
and stage = Calls of call | Idles of stay | Gone

type state = {
  idle : stay list; (* latest first *)
  threads : int;
  line : call Line.t;
  is_up : bool; (* the domain *)
  wanted : call list; (* the first calls of threads that it is to make, latest first *)
}

let most = 64
let patience = 1. (* seconds *)
let state = Atomic.make { idle = []; threads = 0; line = Line.empty; is_up = false; wanted = [] }

(* Makes a step, which also says what follows from it. No safepoint comes after the step. *)
let rec update step =
  let before = Atomic.get state in
  let after, result = step before in
  if Atomic.compare_and_set state before after then result else update step

let is_busy () =
  let s = Atomic.get state in
  s.threads > List.length s.idle

(* [body] raises nothing. *)
let make call =
  if Claim.begin_ call.claim then begin
    call.body ();
    Critical.finish_to_end call.conclude
  end

(* The domain *)

let host = Parker.create ()
let without_thread s = { s with threads = s.threads - 1 }

(* The last thread that leaves says so. *)
let has_left s = if s.threads = 0 && s.is_up then fun () -> Parker.wake host else ignore

let order stay order =
  ignore (Atomic.compare_and_set stay.order Free order : bool);
  Parker.wake stay.parker

let dismiss stay =
  let leave s =
    if List.memq stay s.idle then (
      let s = without_thread { s with idle = List.filter (( != ) stay) s.idle } in
      ( s,
        fun () ->
          order stay Dismissed;
          has_left s () ))
    else (s, ignore)
  in
  Critical.finish (update leave)

(* What a thread does next: the next call in line, or else it is idle; where it is none, it ends. *)
let next ~idles =
  let new_stay () =
    { order = Atomic.make Free; parker = Parker.create (); domain = Domain.self () }
  in
  let go_on s =
    match Line.next s.line with
    | Some (call, line) -> ({ s with line }, Calls call)
    | None when idles ->
        let stay = new_stay () in
        ({ s with idle = stay :: s.idle }, Idles stay)
    | None -> (without_thread s, Gone)
  in
  update go_on

let rec await_order stay =
  match Atomic.get stay.order with
  | Free ->
      Parker.park stay.parker;
      await_order stay
  | Given call -> Calls call
  | Dismissed -> Gone

(* Until one is there. *)
let idle stay =
  let timer = Poller.at (Clock.now () +. patience) (fun () -> dismiss stay) in
  let stage = await_order stay in
  Poller.cancel timer;
  stage

let rec live runner ~idles =
  match runner.now with
  | Calls call ->
      make call;
      runner.now <- next ~idles;
      live runner ~idles
  | Idles stay ->
      runner.now <- idle stay;
      live runner ~idles
  | Gone -> has_left (Atomic.get state) ()

let runner call = { life = Atomic.make Unborn; now = Calls call }

(* May be called again: then there may be a thread too many, which ends at once. *)
let make_thread runner =
  let live_apart () = live runner ~idles:true and live_here () = live runner ~idles:false in
  let begin_ () =
    if Atomic.compare_and_set runner.life Unborn Apart then Critical.finish_to_end live_apart
  in
  let create () = ignore (Thread.create begin_ () : Thread.t) in
  try if Atomic.get runner.life = Unborn then Signals.with_all_blocked create
  with Failure _ | Sys_error _ ->
    if Atomic.compare_and_set runner.life Unborn Here then Critical.finish_to_end live_here

(* Takes the oldest call that is wanted: the rest of them, and what is to follow. *)
let take_wanted s =
  match List.rev s.wanted with
  | [] -> None
  | call :: later ->
      let runner = runner call in
      Some ({ s with wanted = List.rev later }, fun () -> make_thread runner)

type turn = Make of (unit -> unit) | Wait | End

let rec host_threads ~until_empty =
  let look s =
    match take_wanted s with
    | Some (s, make) -> (s, Make make)
    | None when until_empty || s.threads = 0 -> ({ s with is_up = false }, End)
    | None -> (s, Wait)
  in
  match update look with
  | Make make ->
      Critical.finish make;
      host_threads ~until_empty
  | Wait ->
      Parker.park host;
      host_threads ~until_empty
  | End -> ()

(* Without room for a domain the threads are the caller's. May be called again, with the same
   [life]. *)
let open_domain life () =
  let live () = host_threads ~until_empty:false in
  let begin_ () = if Atomic.compare_and_set life Unborn Apart then Critical.finish_to_end live in
  if Atomic.get life = Unborn && not (Births.spawn begin_ ~keep:ignore) then
    ignore (Atomic.compare_and_set life Unborn Here : bool);
  if Atomic.get life = Here then host_threads ~until_empty:true

let start call =
  let take s =
    match s.idle with
    | stay :: idle -> ({ s with idle }, fun () -> order stay (Given call))
    | [] when s.threads < most ->
        let follow =
          if s.is_up then fun () -> Parker.wake host else open_domain (Atomic.make Unborn)
        in
        ({ s with threads = s.threads + 1; wanted = call :: s.wanted; is_up = true }, follow)
    | [] -> ({ s with line = Line.join s.line (Line.ticket s.line) call }, ignore)
  in
  Critical.finish (update take)

(* A domain that ends waits for its threads. *)
let leave () =
  let here = Domain.self () in
  List.iter (fun stay -> if stay.domain = here then dismiss stay) (Atomic.get state).idle

(* The call has the signal mask of the program, which what it starts inherits. *)
let create_call (w : Worker.t) outcome f =
  let mask = Signals.program_mask () and backtraces = w.team.record_backtraces in
  let run () =
    if Printexc.backtrace_status () <> backtraces then Printexc.record_backtrace backtraces;
    Signals.with_mask mask f
  in
  let result = ref Job.no_outcome in
  {
    claim = Claim.create ();
    body = (fun () -> result := Failure.catch run);
    conclude = (fun () -> ignore (Ivar.fill outcome !result : bool));
  }

let rec await outcome ~cancel =
  match Ivar.peek outcome with
  | Some outcome -> outcome
  | None ->
      Wait.until_ended (Ivar.on_fill outcome) ~cancel;
      await outcome ~cancel

(* A callback's exception has interrupted the caller. May be called again. *)
let give_up call outcome () =
  if not (Claim.give_up call.claim || Ivar.is_full outcome) then
    Wait.in_any_case (fun t -> Ivar.on_fill outcome (fun () -> ignore (Waiter.wake t : bool)))

(* The caller waits in any case for what has begun. *)
let run_aside w f =
  let outcome = Ivar.create () in
  let call = create_call w outcome f in
  let give_up = give_up call outcome in
  Critical.reserve_stack ();
  match
    start call;
    await outcome ~cancel:(Hooks.call (fun () -> Ivar.is_full outcome))
  with
  | outcome -> Failure.get outcome
  | exception exn -> Critical.raise_despite give_up () exn

let blocking f =
  match Worker.mine () with
  | None -> f ()
  | Some w ->
      Task.poll ();
      run_aside w f
