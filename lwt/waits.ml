(* Waits: who waits for the main loop, to be told if it does not run.

   Waiting --settle--> Settled, by the loop or by who gives up

   A loop that stands still may come yet: programs start tasks before they call [Lwt_main.run], and
   call it more than once. So a wait is given up when the loop was seen to stand still for
   [patience] seconds, and when the program exits. A loop that is inside a callback does not stand
   still.

   A thread watches the loop as long as somebody waits. It is started at the end of a turn of the
   loop in which somebody waits, and by who comes to wait between two turns. *)

type t = { key : int; settled : bool Atomic.t; give_up : exn -> unit }

let no_loop = Failure "Drover_lwt: a task waits for Lwt's main loop, which does not run"

(* Those that wait. *)
let table : (int, t) Hashtbl.t = Hashtbl.create 16
let mutex = Mutex.create ()
let count = Atomic.make 0
let keys = Atomic.make 0

(* Whoever makes this step has the right to tell the waiter how it ended. *)
let settle wait =
  Atomic.compare_and_set wait.settled false true
  && begin
    Mutex.protect mutex (fun () -> Hashtbl.remove table wait.key);
    Atomic.decr count;
    true
  end

let is_settled wait = Atomic.get wait.settled

let give_up_all () =
  let waits = Mutex.protect mutex (fun () -> List.of_seq (Hashtbl.to_seq_values table)) in
  List.iter (fun wait -> if settle wait then wait.give_up no_loop) waits

(* Seconds *)

let patience = 3.0
let pause = 0.2
let is_watched = Atomic.make false

let rec watch stood turns =
  Thread.delay pause;
  let stands = Atomic.get Loop.inside = Loop.nobody && Atomic.get Loop.turns = turns in
  let stood = if stands then stood +. pause else 0. in
  if stood >= patience then give_up_all ();
  if Atomic.get count > 0 then watch stood (Atomic.get Loop.turns)
  else begin
    (* First the one and then the look; pairs with the count in [add], which comes before the look
       at [is_watched]. *)
    Atomic.set is_watched false;
    if Atomic.get count > 0 && Atomic.compare_and_set is_watched false true then
      watch 0. (Atomic.get Loop.turns)
  end

let see_to_watch () =
  if
    Atomic.get count > 0
    && (not (Atomic.get is_watched))
    && Atomic.compare_and_set is_watched false true
  then ignore (Thread.create (fun () -> watch 0. (Atomic.get Loop.turns)) () : Thread.t)

(* After the loop's own hook, which says that the turn is over. *)
let () = ignore (Lwt_main.Leave_iter_hooks.add_last see_to_watch : Lwt_main.Leave_iter_hooks.hook)

(* What is registered last runs first at exit: this comes before the default pool waits for its
   tasks. *)
let at_exit_too = Atomic.make false
let see_to_exit () = if not (Atomic.exchange at_exit_too true) then at_exit give_up_all

(* [add give_up] waits until it is settled. [give_up] is called, once, by who gives it up. *)
let add give_up =
  see_to_exit ();
  let wait = { key = Atomic.fetch_and_add keys 1; settled = Atomic.make false; give_up } in
  Mutex.protect mutex (fun () -> Hashtbl.replace table wait.key wait);
  Atomic.incr count;
  (* First the count and then the look; pairs with the end of a turn, which first says that it is
     over and then counts. *)
  if Atomic.get Loop.inside = Loop.nobody then see_to_watch ();
  wait
