(* Signals.

   The handlers of OCaml run on whatever thread comes to it first, unless it blocks the signal;
   and they may raise, so they should run on the program's threads. But a child process inherits
   what the thread blocks that starts it, and a signal without a handler is none of a thread's
   business: SIGTERM ends the process, and a write to a pipe that nobody reads ends it with
   SIGPIPE. So a worker's domain has the mask of the thread that made the pool, and blocks only what has
   a handler; it looks that up from time to time, as handlers come and go. Calls within [blocking]
   have the program's mask, for child processes that need it in any case.

   What else is Drover's, such as the timers' thread, blocks all. *)

let set mask = ignore (Thread.sigmask SIG_SETMASK mask : int list)
let all = List.init 64 succ

let with_mask mask f =
  let before = Thread.sigmask SIG_BLOCK [] in
  Failure.finally
    (fun () -> set before)
    (fun () ->
      (* The handler of a signal that was blocked before may raise here. *)
      set mask;
      f ())

let with_all_blocked f = with_mask all f

(* What was blocked before is not read, as each list of 64 signals takes a microsecond and a half.
   Probe: wake, a call in blocking. A handler may raise before the step that blocks it. *)
let with_mask_from_all mask f =
  Failure.finally
    (fun () -> Shared.insist set all)
    (fun () ->
      set mask;
      f ())

(* By the system's numbers; the handlers may also be a C library's. Those that a thread brings on itself
   (ILL, TRAP, ABRT, BUS, FPE, SEGV, SYS) are handled by OCaml, or end the program, and two are the
   threads' own. Where the system does
   not tell, all but SIGPIPE may have a handler. *)
let handled () =
  let of_a_thread = [ 4; 5; 6; 7; 8; 11; 31; 32; 33 ] in
  let of_bits bits =
    let is_set s = Int64.logand (Int64.shift_right_logical bits (s - 1)) 1L = 1L in
    List.filter (fun s -> is_set s && not (List.mem s of_a_thread)) all
  in
  let of_line line =
    match String.split_on_char '\t' line with
    | [ "SigCgt:"; digits ] -> Option.map of_bits (Int64.of_string_opt ("0x" ^ String.trim digits))
    | _ -> None
  in
  match List.find_map of_line (String.split_on_char '\n' (System.read "/proc/self/status")) with
  | Some signals -> signals
  | None -> List.filter (( <> ) 13) all

(* What has a handler, as of some time. *)
type sight = { signals : int list; seen_at : float }

let sight = Atomic.make { signals = []; seen_at = neg_infinity }

(* [patience] is how many seconds old that may be; a look takes some tens of microseconds. *)
let look ?(patience = 0.1) () =
  let last = Atomic.get sight and now = System.now () in
  if now -. last.seen_at < patience then last.signals
  else begin
    let signals = handled () in
    Atomic.set sight { signals; seen_at = now };
    signals
  end

(* To be called before a pool's domains are made: each begins with this look, or a later one. That a
   domain looked for itself would be half of what a pool costs. Probe: setup. *)
let look_afresh () = ignore (look ~patience:0. () : int list)

(* The mask of the thread that made the pool of this domain, and what it blocks besides. *)
type worker = { program : int list; mutable blocked : int list }

let worker : worker option ref Domain.DLS.key = Domain.DLS.new_key (fun () -> ref None)

let program_mask () =
  match !(Domain.DLS.get worker) with Some w -> w.program | None -> Thread.sigmask SIG_BLOCK []

let refresh () =
  match !(Domain.DLS.get worker) with
  | None -> ()
  | Some w ->
      let signals = look () in
      if signals <> w.blocked then begin
        set (signals @ w.program);
        w.blocked <- signals
      end

(* It began with all blocked. *)
let begin_worker program =
  Domain.DLS.get worker := Some { program; blocked = all };
  refresh ()

(* Threads and domains *)

(* Whatever room the caller's stack has: to begin with a new thread, and not to make it, would be to wait for
   it for ever. *)
let is_made make =
  match Shared.on_new_stack with_all_blocked make with
  | () -> true
  | exception (Failure _ | Sys_error _) -> false

let spawn_thread live = is_made (fun () -> ignore (Thread.create live () : Thread.t))

(* OCaml has a new domain run finalisers before it has its domain-local state, and one that reads some
   then is a segmentation fault. It has none of its own, but may take over those that others have left
   when they ended: any domain does in a slice of the major collection while marking, and one in the
   minor collection with which marking begins. So before a domain is made after one of ours has ended,
   both happen. Test: inside_domains.

   Nor does OCaml 5.4 end where nobody has taken them over and it is to free its memory (with
   OCAMLRUNPARAM=c, or by caml_shutdown), although there may be none: it takes a domain that has had a
   finaliser for one that has some. So both happen when a pool has been closed, too. Test: unit_exit. *)

let have_ended = Atomic.make false

let take_over_finalisers () =
  if Atomic.get have_ended && Atomic.exchange have_ended false then begin
    ignore (Gc.major_slice 1 : int);
    Gc.minor ()
  end

let spawn_domain ?(keep = ignore) live =
  is_made (fun () ->
      take_over_finalisers ();
      keep
        (Domain.spawn (fun () ->
             live ();
             Atomic.set have_ended true)))
