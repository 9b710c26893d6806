(* Mutexes and condition variables, of the system. *)

open Drover_machine
open World

let cost = 15

module Mutex = struct
  type t = { mutable holder : thread option; waiting : thread Queue.t; line : line }

  let create () = { holder = None; waiting = Queue.create (); line = Lines.one () }

  let take m =
    Lines.step m.line "Mutex";
    Work.spend cost;
    let is_free = m.holder = None in
    if is_free then m.holder <- Some (me ());
    is_free

  let try_lock = take

  let rec lock m =
    if match m.holder with Some t -> t == me () | None -> false then
      raise (Sys_error "Mutex.lock: Resource deadlock avoided");
    if not (take m) then begin
      Queue.add (me ()) m.waiting;
      ignore (Threads.park ~until:never : bool);
      lock m
    end

  let unlock m =
    Lines.step m.line "Mutex";
    Work.spend cost;
    m.holder <- None;
    Option.iter Scheduler.wake (Queue.take_opt m.waiting)

  (* As the standard library's: between the end of [f] and the step that unlocks nothing is allocated. *)
  let protect m f =
    lock m;
    match f () with
    | v ->
        unlock m;
        v
    | exception e ->
        let backtrace = Printexc.get_raw_backtrace () in
        unlock m;
        Printexc.raise_with_backtrace e backtrace
end

module Condition = struct
  type t = thread Queue.t

  let create () : t = Queue.create ()

  let wait (c : t) m =
    Queue.add (me ()) c;
    Mutex.unlock m;
    ignore (Threads.park ~until:never : bool);
    Mutex.lock m

  let signal (c : t) =
    Turns.sync ();
    Option.iter Scheduler.wake (Queue.take_opt c)

  let broadcast (c : t) =
    Turns.sync ();
    Queue.iter Scheduler.wake c;
    Queue.clear c
end
