(* Blocking: calls that block, on threads beside the pools.

   The threads live on a domain of their own, lest those of a worker's take turns with it; where
   there is no room for one, on the domain of a caller. An idle thread waits for [patience] seconds
   for the next call, and then ends; the domain ends with its last thread. There are at most [most]
   threads; further calls wait in line.

   Free --give--> Given --taken by its thread--> Free
        --dismiss--> Dismissed

   A seat in [idle] is taken out by whoever gives it a call or dismisses it. *)

type order = Free | Given of (unit -> unit) | Dismissed
type seat = { parker : Parker.t; domain : Domain.id; order : order Atomic.t }

type state = {
  idle : seat list; (* latest first *)
  threads : int;
  line : (unit -> unit) Fifo.t;
  is_up : bool; (* the domain *)
  wanted : (unit -> unit) list; (* the first calls of threads that it is to make, latest first *)
}

let most = 64
let patience = 1. (* seconds *)
let state = Atomic.make { idle = []; threads = 0; line = Fifo.empty; is_up = false; wanted = [] }

(* Makes a step, which also says what follows from it. *)
let rec update step =
  let before = Atomic.get state in
  let after, result = step before in
  if Atomic.compare_and_set state before after then result else update step

let is_busy () =
  let s = Atomic.get state in
  s.threads > List.length s.idle

(* The domain *)

let host = Parker.create ()
let without_thread s = { s with threads = s.threads - 1 }

(* The last thread that leaves says so. *)
let has_left s = if s.threads = 0 && s.is_up then fun () -> Parker.wake host else ignore

let order seat order =
  Atomic.set seat.order order;
  Parker.wake seat.parker

let dismiss seat =
  let leave s =
    if List.memq seat s.idle then (
      let s = without_thread { s with idle = List.filter (( != ) seat) s.idle } in
      ( s,
        fun () ->
          order seat Dismissed;
          has_left s () ))
    else (s, ignore)
  in
  update leave ()

let rec await_order seat =
  match Atomic.get seat.order with
  | Free ->
      Parker.wait seat.parker;
      await_order seat
  | (Given _ | Dismissed) as order ->
      Atomic.set seat.order Free;
      order

(* The next in line, or else what the seat is given. *)
let next seat =
  let rest s =
    match Fifo.pop s.line with
    | Some (call, line) -> ({ s with line }, Given call)
    | None -> ({ s with idle = seat :: s.idle }, Free)
  in
  match update rest with
  | Free ->
      let timer = Poller.at (Clock.now () +. patience) (fun () -> dismiss seat) in
      let order = await_order seat in
      Poller.cancel timer;
      order
  | (Given _ | Dismissed) as order -> order

let rec serve seat call =
  call ();
  match next seat with Given call -> serve seat call | Free | Dismissed -> ()

(* Where there is no thread to be had, a call is made where it was to be made. *)
let rec serve_without_seat call =
  call ();
  let go_on s =
    match Fifo.pop s.line with
    | Some (call, line) -> ({ s with line }, fun () -> serve_without_seat call)
    | None ->
        let s = without_thread s in
        (s, has_left s)
  in
  update go_on ()

let make_thread call =
  let seat = { parker = Parker.create (); domain = Domain.self (); order = Atomic.make Free } in
  let create () = ignore (Thread.create (serve seat) call : Thread.t) in
  match Signals.with_all_blocked create with
  | () -> ()
  | exception (Failure _ | Sys_error _) -> serve_without_seat call

let rec live () =
  let look s =
    match s.wanted with
    | [] when s.threads = 0 -> ({ s with is_up = false }, ignore)
    | [] ->
        ( s,
          fun () ->
            Parker.wait host;
            live () )
    | calls ->
        ( { s with wanted = [] },
          fun () ->
            List.iter make_thread (List.rev calls);
            live () )
  in
  update look ()

(* Without room for a domain the threads are the caller's. *)
let open_domain () =
  try Signals.with_all_blocked (fun () -> ignore (Domain.spawn live : unit Domain.t))
  with Failure _ | Sys_error _ ->
    let calls = update (fun s -> ({ s with is_up = false; wanted = [] }, s.wanted)) in
    List.iter make_thread (List.rev calls)

let start call =
  let take s =
    match s.idle with
    | seat :: idle -> ({ s with idle }, fun () -> order seat (Given call))
    | [] when s.threads < most ->
        ( { s with threads = s.threads + 1; wanted = call :: s.wanted; is_up = true },
          if s.is_up then fun () -> Parker.wake host else open_domain )
    | [] -> ({ s with line = Fifo.push s.line call }, ignore)
  in
  update take ()

(* A domain that ends waits for its threads. *)
let leave () =
  let here = Domain.self () in
  List.iter (fun seat -> if seat.domain = here then dismiss seat) (Atomic.get state).idle

(* The call has the signal mask of the program, which what it starts inherits. *)
let make_call outcome ~backtraces ~mask f () =
  if Printexc.backtrace_status () <> backtraces then Printexc.record_backtrace backtraces;
  let result = Failure.catch (fun () -> Signals.with_mask mask f) in
  Critical.finish (fun () -> ignore (Ivar.fill outcome result : bool))

(* The caller waits in any case. *)
let run_aside (w : Worker.t) f =
  let outcome = Ivar.create () in
  let mask = Signals.program_mask () in
  start (make_call outcome ~backtraces:w.team.record_backtraces ~mask f);
  let rec get () =
    match Ivar.peek outcome with
    | Some outcome -> Failure.get outcome
    | None ->
        Waiter.wait_for_end (Ivar.on_fill outcome) ~cancel:ignore;
        get ()
  in
  get ()

let blocking f =
  match Worker.mine () with
  | None -> f ()
  | Some w ->
      Task.poll ();
      run_aside w f
