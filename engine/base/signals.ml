(* Signals.

   The handlers of OCaml run on whatever thread comes to it first, unless it blocks the signal;
   and they may raise, so they should run on the program's threads. But a child process inherits
   what the thread blocks that starts it, and a signal without a handler is none of a thread's
   business: SIGTERM ends the process, and a write to a pipe that nobody reads ends it with
   SIGPIPE. So a worker's domain has the mask of whoever made it, and blocks only what has a
   handler; which it looks up from time to time, as handlers come and go. Calls within [blocking]
   have the program's mask, for child processes that need it in any case.

   What else is Drover's, such as the timers' thread, blocks all. *)

let set mask = ignore (Thread.sigmask SIG_SETMASK mask : int list)
let all = List.init 64 succ

let with_mask mask f =
  let before = Thread.sigmask SIG_SETMASK mask in
  match f () with
  | v ->
      set before;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      set before;
      Printexc.raise_with_backtrace exn backtrace

let with_all_blocked f = with_mask all f

(* Those that a thread brings on itself are handled by OCaml, or end the program. *)
let of_a_thread = [ 4; 5; 6; 7; 8; 11; 31 ] (* ILL, TRAP, ABRT, BUS, FPE, SEGV, SYS *)

(* By the system's numbers; the handlers may also be a C library's. *)
let of_bits bits =
  List.filter
    (fun s -> Int64.logand (Int64.shift_right_logical bits (s - 1)) 1L = 1L)
    (List.filter (fun s -> not (List.mem s of_a_thread)) all)

let of_line line =
  match String.split_on_char '\t' line with
  | [ "SigCgt:"; digits ] -> Option.map of_bits (Int64.of_string_opt ("0x" ^ String.trim digits))
  | _ -> None

(* Where the system does not tell, all but SIGPIPE may have a handler. *)
let handled () =
  let lines =
    match System_file.read "/proc/self/status" with
    | Some text -> String.split_on_char '\n' text
    | None -> []
  in
  match List.find_map of_line lines with
  | Some signals -> signals
  | None -> List.filter (( <> ) 13) all

(* What has a handler, as of some time. *)
type sight = { signals : int list; seen_at : float }

let sight = Atomic.make { signals = []; seen_at = neg_infinity }
let patience = 0.1 (* seconds; a look takes some tens of microseconds *)

let look () =
  let last = Atomic.get sight in
  let now = Clock.now () in
  if now -. last.seen_at < patience then last.signals
  else begin
    let signals = handled () in
    let signals = if signals = last.signals then last.signals else signals in
    Atomic.set sight { signals; seen_at = now };
    signals
  end

(* The mask of whoever made this domain, and what it blocks besides. *)
type worker = { program : int list; mutable blocked : int list }

let worker : worker option ref Domain.DLS.key = Domain.DLS.new_key (fun () -> ref None)

(* The mask that the program has chosen for the calling thread. *)
let program_mask () =
  match !(Domain.DLS.get worker) with Some w -> w.program | None -> Thread.sigmask SIG_BLOCK []

let block w signals =
  set (signals @ w.program);
  w.blocked <- signals

(* To be called before a pool's domains are made: each begins with this look, or a later one. That a
   domain looked for itself would be half of what a pool costs. Probe: setup. *)
let look_afresh () =
  Atomic.set sight { (Atomic.get sight) with seen_at = neg_infinity };
  ignore (look () : int list)

(* The calling domain is a worker's, of a pool that was made by a thread with this mask. *)
let begin_worker program =
  let w = { program; blocked = [] } in
  Domain.DLS.get worker := Some w;
  block w (look ())

(* To be called by workers now and then. *)
let refresh () =
  match !(Domain.DLS.get worker) with
  | None -> ()
  | Some w ->
      let signals = look () in
      if signals != w.blocked then block w signals
