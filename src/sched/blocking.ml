(* Blocking: calls that block, on threads of the helper's domain.

   An idle thread waits for [patience] seconds for the next call, and then ends. There are at most
   [most] threads; further calls wait in line. A timer that never comes due keeps the helper's
   domain as long as a thread lives there.

   A seat in [idle] is taken out by whoever gives it a call or dismisses it. *)

type seat = { parker : Parker.t; mutable call : (unit -> unit) option (* none: it is dismissed *) }
type state = { idle : seat list; (* latest first *) threads : int; line : (unit -> unit) Fifo.t }

let most = 64
let patience = 1. (* seconds *)
let state = Atomic.make { idle = []; threads = 0; line = Fifo.empty }

(* Makes a step, which also says what follows from it. *)
let rec update step =
  let before = Atomic.get state in
  let after, result = step before in
  if Atomic.compare_and_set state before after then result else update step

let is_busy () =
  let s = Atomic.get state in
  s.threads > List.length s.idle

let dismiss seat =
  let leave s =
    if List.memq seat s.idle then
      ({ s with idle = List.filter (( != ) seat) s.idle; threads = s.threads - 1 }, true)
    else (s, false)
  in
  if update leave then begin
    seat.call <- None;
    Parker.wake seat.parker
  end

(* The next in line, or else what the seat is given. *)
let next seat =
  let rest s =
    match Fifo.pop s.line with
    | Some (call, line) -> ({ s with line }, Some call)
    | None -> ({ s with idle = seat :: s.idle }, None)
  in
  match update rest with
  | Some _ as call -> call
  | None ->
      let timer = Helper.at (Clock.now () +. patience) (fun () -> dismiss seat) in
      Parker.wait seat.parker;
      Helper.cancel timer;
      seat.call

let rec serve seat call =
  call ();
  seat.call <- None;
  Option.iter (serve seat) (next seat)

(* Without a thread it is the helper that makes the calls, and timers are late meanwhile. *)
let rec serve_without_seat call =
  call ();
  let go_on s =
    match Fifo.pop s.line with
    | Some (call, line) -> ({ s with line }, Some call)
    | None -> ({ s with threads = s.threads - 1 }, None)
  in
  Option.iter serve_without_seat (update go_on)

(* On the helper's domain, lest the threads of a worker's take turns with it. *)
let hire call =
  let live () =
    let stay = Helper.at infinity ignore in
    serve { parker = Parker.create (); call = None } call;
    Helper.cancel stay
  in
  let create () =
    match Thread.create live () with
    | (_ : Thread.t) -> ()
    | exception (Failure _ | Sys_error _) -> serve_without_seat call
  in
  ignore (Helper.at (Clock.now ()) create : Helper.timer)

let start call =
  let take s =
    match s.idle with
    | seat :: idle ->
        let give () =
          seat.call <- Some call;
          Parker.wake seat.parker
        in
        ({ s with idle }, give)
    | [] when s.threads < most -> ({ s with threads = s.threads + 1 }, fun () -> hire call)
    | [] -> ({ s with line = Fifo.push s.line call }, ignore)
  in
  update take ()

(* The caller waits in any case. *)
let run_aside (w : Worker.t) f =
  let outcome = Ivar.create () in
  let wanted = w.team.record_backtraces in
  start (fun () ->
      if Printexc.backtrace_status () <> wanted then Printexc.record_backtrace wanted;
      ignore (Ivar.fill outcome (Failure.catch f) : bool));
  let rec get () =
    match Ivar.peek outcome with
    | Some outcome -> Failure.get outcome
    | None ->
        Task.wait (Ivar.on_fill outcome);
        get ()
  in
  get ()

let blocking f =
  match Worker.mine () with
  | None -> f ()
  | Some w ->
      Task.poll ();
      run_aside w f
