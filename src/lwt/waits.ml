(* Waits: those who wait for the main loop, and hear of it if it does not run.

   A loop that stands still may come yet: programs start tasks before they call [Lwt_main.run], and
   call it more than once. So a wait is given up when the loop was seen to stand still for
   [patience] seconds, and when the program exits.

   A thread watches the loop as long as somebody waits. Those who come to wait start it, since an
   exception may have left [Lwt_main.run] and nothing of Lwt's runs any more. *)

let no_loop = Failure "Drover_lwt: a task waits for Lwt's main loop, which does not run"

(* How to give up each of those that wait. A change is one step. *)

module Waiting = Map.Make (Int)

let waiting : (exn -> unit) Waiting.t Atomic.t = Atomic.make Waiting.empty
let keys = Atomic.make 0
let somebody_waits () = not (Waiting.is_empty (Atomic.get waiting))

let rec change f =
  let before = Atomic.get waiting in
  if not (Atomic.compare_and_set waiting before (f before)) then change f

let give_up_all () = Waiting.iter (fun _ give_up -> give_up no_loop) (Atomic.get waiting)

(* Seconds. The watch lasts hardly longer than the waits, because the domain on which it was started
   cannot end before. *)

let patience = 3.0
let first_pause = 0.01
let longest_pause = 0.2
let is_watched = Atomic.make false

let rec watch pause stood =
  let turns = Atomic.get Loop.turns in
  Thread.delay pause;
  let stood = if Atomic.get Loop.turns = turns then stood +. pause else 0. in
  if stood >= patience && Loop.stands_still () then give_up_all ();
  if somebody_waits () then watch (Float.min longest_pause (2. *. pause)) stood
  else begin
    (* First the one and then the look; pairs with [during], which first adds and then looks at
       [is_watched]. *)
    Atomic.set is_watched false;
    if somebody_waits () && Atomic.compare_and_set is_watched false true then watch first_pause 0.
  end

(* It leaves signals to the threads of the program. *)

let all_signals = List.init 64 succ

let watch_apart () =
  ignore (Thread.sigmask SIG_SETMASK all_signals : int list);
  watch first_pause 0.

(* Where no thread can be made, the next to wait tries again. *)
let see_to_watch () =
  if (not (Atomic.get is_watched)) && Atomic.compare_and_set is_watched false true then
    try ignore (Thread.create watch_apart () : Thread.t)
    with Sys_error _ -> Atomic.set is_watched false

(* What is registered last runs first at exit: this comes before the default pool waits for its
   tasks. Twice does no harm. *)
let at_exit_too = Atomic.make false

let see_to_exit () =
  if not (Atomic.get at_exit_too) then begin
    at_exit give_up_all;
    Atomic.set at_exit_too true
  end

(* [during give_up f] is [f ()], which waits for the loop. Meanwhile [give_up] may be called by any
   thread, more than once. *)
let during give_up f =
  see_to_exit ();
  let key = Atomic.fetch_and_add keys 1 in
  let acquire () =
    change (Waiting.add key give_up);
    see_to_watch ()
  in
  Drover.Scope.bracket ~acquire ~release:(fun () -> change (Waiting.remove key)) f
